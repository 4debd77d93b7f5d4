import * as vscode from 'vscode';

/** What saving the notebook would write. */
export async function notebookText(notebook: vscode.NotebookDocument): Promise<string> {
  const data = new vscode.NotebookData(notebook.getCells().map(cellData));
  data.metadata = notebook.metadata;
  const bytes = await vscode.commands.executeCommand<Uint8Array>(
    'vscode.executeNotebookToData',
    notebook.notebookType,
    data,
  );
  return new TextDecoder().decode(bytes);
}

function cellData(cell: vscode.NotebookCell): vscode.NotebookCellData {
  const { kind, document, outputs, metadata, executionSummary } = cell;
  const data = new vscode.NotebookCellData(kind, document.getText(), document.languageId);
  data.outputs = [...outputs];
  data.metadata = metadata;
  if (executionSummary) data.executionSummary = executionSummary;
  return data;
}
