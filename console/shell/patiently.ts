/** ms to the second try; twice as long to each next one. */
const firstMs = 500
/** Then it is not the network, such as a part of a version that is no longer there. */
const tries = 5

/** Fetches a part of the console again when the network was gone for a moment, which must not cost who looks at it all of the rest. */
export const patiently =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    for (let n = 1; ; n++)
      try {
        return await load()
      } catch (error) {
        if (n === tries) throw error
        await new Promise((resolve) => setTimeout(resolve, firstMs * 2 ** (n - 1)))
      }
  }
