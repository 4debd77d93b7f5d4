/** A promise settled from outside. Settling twice has no effect. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve!: (value: T | PromiseLike<T>) => void;
  reject!: (reason: unknown) => void;
  private done = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = value => {
        this.done = true;
        resolve(value);
      };
      this.reject = reason => {
        this.done = true;
        reject(reason);
      };
    });
  }

  get isSettled(): boolean {
    return this.done;
  }
}
