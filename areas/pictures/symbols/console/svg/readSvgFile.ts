import type { Read } from './readSvg.ts'
import { limits } from './refusal.ts'

const mostMs = 15_000

/** Reads a chosen file in a worker that ends afterwards. */
export const readSvgFile = async (file: Blob): Promise<Read> => {
  // UTF-8 takes up to four bytes per character.
  if (file.size > 4 * limits.text) return { refused: 'tooLarge' }
  const text = await file.text()
  const worker = new Worker(new URL('./svg-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Read>((done, fail) => {
      setTimeout(() => done({ refused: 'tooSlow' }), mostMs)
      worker.onmessage = ({ data }: MessageEvent<Read>) => done(data)
      worker.onerror = () => fail(new Error('worker'))
      worker.postMessage(text)
    })
  } finally {
    worker.terminate()
  }
}
