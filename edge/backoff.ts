/** Waits that double from `minMs` to `maxMs`, each randomly shortened by up to half, so that a thousand gateways do not reconnect together. */
export const backoff = (minMs: number, maxMs: number) => {
  let tries = 0
  return {
    next: () => Math.min(maxMs, minMs * 2 ** Math.min(tries++, 20)) * (0.5 + Math.random() / 2),
    reset: () => {
      tries = 0
    },
  }
}

/** A pause that ends early when `wake` is called; a call before its start counts. */
export const pause = () => {
  let end: (() => void) | undefined
  let isWoken = false
  return {
    wake: () => {
      isWoken = true
      end?.()
    },
    for: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => end?.(), isWoken ? 0 : ms)
        end = () => {
          clearTimeout(timer)
          end = undefined
          isWoken = false
          resolve()
        }
      }),
  }
}
