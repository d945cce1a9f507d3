/** Delay before the first retry, ms. It doubles for each further one. */
const firstDelayMs = 500
/** After five attempts the cause is not the network: for instance, a file of an older version that the server no longer has. */
const maxAttempts = 5

/** Retries a download with exponential backoff, so that a short network failure does not cost people what is on their screen. */
export const withRetry =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    for (let attempt = 1; ; attempt++)
      try {
        return await load()
      } catch (error) {
        if (attempt === maxAttempts) throw error
        await new Promise((resolve) => setTimeout(resolve, firstDelayMs * 2 ** (attempt - 1)))
      }
  }
