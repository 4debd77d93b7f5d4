/** Whether pasted or dropped data has files in it. */
export function hasFiles(data: DataTransfer | null): boolean {
  return data !== null && [...data.types].includes('Files');
}
