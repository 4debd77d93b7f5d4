// @ts-check

/**
 * Says hello to someone.
 * @param {string} name
 */
export function greet(name) {
  return `Hello, ${name}!`;
}

/**
 * Says goodbye to someone.
 * @param {string} name
 */
export function farewell(name) {
  return `See you soon, ${name}.`;
}
