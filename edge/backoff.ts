/** Waiting times that double from `minMs` to `maxMs`, each shortened by up to half at random, so that a thousand gateways do not return at once. */
export const backoff = (minMs: number, maxMs: number) => {
  let tries = 0
  return {
    next: () => Math.min(maxMs, minMs * 2 ** Math.min(tries++, 20)) * (0.5 + Math.random() / 2),
    reset: () => {
      tries = 0
    },
  }
}

/** A pause that ends early when `wake` is called. */
export const pause = () => {
  let wake: () => void = () => {}
  return {
    wake: () => wake(),
    for: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
