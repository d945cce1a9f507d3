// Latency of a value from its gateway to the canvas of a large picture, read from the canvas itself.
import type { Page } from 'playwright-core'
import { type Figure, figure, quantile } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { type At, open } from './tab.ts'

const seconds = 10

/** A band of the canvas that was shown, and the first number that is written in it. */
type Drawing = [band: number, text: number, shown: number]
type Heard = [at: number, values: [id: number, read: number, value: number][]]
/** The hub's values, and the canvas's bands, for so many ms. */
const watched = (page: Page, ms: number) =>
  page.evaluate(
    (ms) =>
      new Promise<{ heard: Heard[]; drawings: Drawing[] }>((done) => {
        const heard: Heard[] = []
        const drawings: Drawing[] = []
        const bands = new Map<OffscreenCanvas, { band: number; text: number }>()
        const images = new WeakMap<ImageBitmap, { band: number; text: number }>()
        const [pen, back, front] = [
          OffscreenCanvasRenderingContext2D.prototype,
          OffscreenCanvas.prototype,
          ImageBitmapRenderingContext.prototype,
        ]
        const [clear, write, leave, show] = [pen.clearRect, pen.fillText, back.transferToImageBitmap, front.transferFromImageBitmap]
        pen.clearRect = function (...box) {
          bands.set(this.canvas, { band: bands.get(this.canvas)?.band ?? bands.size, text: Number.NaN })
          clear.apply(this, box)
        }
        pen.fillText = function (text, ...at) {
          const drawn = bands.get(this.canvas)
          if (drawn && Number.isNaN(drawn.text)) drawn.text = Number(text)
          write.call(this, text, ...at)
        }
        back.transferToImageBitmap = function () {
          const image = leave.call(this)
          const drawn = bands.get(this)
          if (drawn) images.set(image, drawn)
          return image
        }
        front.transferFromImageBitmap = function (image) {
          const drawn = image && images.get(image)
          show.call(this, image)
          if (drawn) drawings.push([drawn.band, drawn.text, Date.now()])
        }
        const { hubSocket } = globalThis as unknown as { hubSocket: WebSocket }
        hubSocket.addEventListener('message', ({ data }) => {
          const at = Date.now()
          const values = [...String(data).matchAll(/\[(\d+),(\d{13}),([\d.]+),/g)].map(
            ([, id, read, value]) => [Number(id), Number(read), Number(value)] as [number, number, number],
          )
          if (values.length) heard.push([at, values])
        })
        setTimeout(() => done({ heard, drawings }), ms)
      }),
    ms,
  )
const isAlike = (a: number, b: number) => Math.abs(a - b) < 0.006

/** Latency from gateway to screen: from the reading's timestamp until its value is shown. A band is shown as a whole. */
export const toPixel = async (at: At, address: string, points: number): Promise<Figure[]> => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const page = await open(at, address)
  const job = { port: at.world.mqttPort, gateways: at.world.seeded, values: points, window: 0, rate: 2, warmUp: 1, seconds: seconds + 4 }
  const publishing = publisher.run(job)
  await page.waitForTimeout(3000)
  const { heard, drawings } = await watched(page, seconds * 1000)
  await publishing
  await publisher.end()
  await page.close()
  const readings = Map.groupBy(
    heard.flatMap(([at, values]) => values.map(([id, read, value]) => ({ at, id, read, value }))),
    ({ id }) => id,
  )
  const bands = [...Map.groupBy(drawings, ([band]) => band).values()]
  const delays = bands.flatMap((own) => {
    // The point that its first number shows: the one that has had most of these values.
    const fits = (id: number) => own.filter(([, text]) => readings.get(id)!.some(({ value }) => isAlike(value, text))).length
    const [id] = [...readings.keys()].map((id) => [id, fits(id)] as const).sort(([, a], [, b]) => b - a)[0]!
    const said = readings.get(id)!
    // A value that a newer one overtook counts as seen with that.
    const shows = own.map(([, text, shown]) => [said.findLastIndex(({ at, value }) => at <= shown && isAlike(value, text)), shown] as const)
    return said.flatMap(({ read }, i) => {
      const seen = shows.find(([which]) => which >= i)
      return seen ? [seen[1] - read] : []
    })
  })
  console.log(`${delays.length} values of ${heard.length} messages were seen in ${bands.length} bands`)
  return [figure('device to pixel, 2,000 points on one picture, p99', quantile(delays, 0.99), 'ms')]
}
