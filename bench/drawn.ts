// A chart of 90 days of 10 points in a browser: from the hand to the frame in which its curves are drawn.
import { chromium, type Page } from 'playwright-core'
import { day } from '../server/telemetry/store/store.ts'
import { flags } from './chromium.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { password, type World } from './world.ts'

const tries = 20
const height = 900
/** Buckets of the figure that is wanted; the console asks for two a pixel. */
const wanted = 500
const path = '/DataCenter/ReportData/Data'

type Noted = { answeredAt: number; strokeAt: number }
declare global {
  interface Window {
    noted: Noted
  }
}

/** Notes when the data of a chart have come, and when a canvas was drawn last. */
const note = (path: string) => {
  window.noted = { answeredAt: 0, strokeAt: 0 }
  const { fetch: ask } = window
  window.fetch = async (...of) => {
    const answer = await ask(...of)
    if (String(of[0]).endsWith(path)) {
      const text = await answer.text()
      window.noted.answeredAt = performance.now()
      return new Response(text, answer)
    }
    return answer
  }
  const { stroke } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.stroke = function (this: CanvasRenderingContext2D, path?: Path2D) {
    window.noted.strokeAt = performance.now()
    return path ? stroke.call(this, path) : (stroke as () => void).call(this)
  }
}

/** Moves the chart two hours back, as a wheel does: neither the console nor the server has that range. Answers ms until its curves are drawn. */
const chartDrawn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        const start = performance.now()
        window.noted.answeredAt = 0
        document.querySelector('.uplot .u-over')!.dispatchEvent(new WheelEvent('wheel', { deltaX: -1, bubbles: true, cancelable: true }))
        const look = () => {
          const { answeredAt, strokeAt } = window.noted
          if (answeredAt && strokeAt > answeredAt) requestAnimationFrame(() => done(performance.now() - start))
          else requestAnimationFrame(look)
        }
        look()
      }),
  )

/** The number of buckets that the console requests, and the compressed bytes of the answer. */
const wireOf = async (page: Page) => {
  const [request] = await Promise.all([page.waitForRequest((of) => of.url().endsWith(path)), chartDrawn(page)])
  const { Buckets } = request.postDataJSON() as { Buckets: number }
  return { buckets: Buckets, bytes: (await request.sizes()).responseBodySize }
}

const measured = async (page: Page) => {
  const times: number[] = []
  const { buckets, bytes } = await wireOf(page)
  for (let i = 0; i < tries; i++) times.push(await chartDrawn(page))
  const name = `90 days of 10 points drawn after it is moved, ${buckets.toLocaleString('en')} buckets`
  return [
    figure(`${name}, p95`, quantile(times, 0.95), 'ms'),
    figure(`${name}, median`, quantile(times, 0.5), 'ms'),
    figure('the same on the wire', bytes / 1024, 'KB'),
  ]
}

type At = { world: World; ids: readonly number[]; end: number }
export const drawnCharts = async ({ world, ids, end }: At): Promise<Figure[]> => {
  const executablePath = process.env.CHROMIUM
  if (!executablePath) {
    console.log('There is no Chromium here: drawn charts are not measured.')
    return []
  }
  const browser = await chromium.launch({ executablePath, args: flags })
  try {
    const page = await browser.newPage({ locale: 'en', viewport: { width: 1440, height }, reducedMotion: 'reduce' })
    await page.addInitScript(note, path)
    const chart = `/dataAnalysis/realTimeData?points=${ids.join()}&from=${end - 90 * day}&to=${end}`
    await page.goto(`${world.origin}/login?redirect=${encodeURIComponent(chart)}`)
    await page.locator('#UserNO').fill('manager1')
    await page.locator('#Pwd').fill(password)
    await page.locator('button[type=submit]').click()
    await page.locator('.uplot canvas').waitFor()
    await page.waitForTimeout(2000)
    const wide = await measured(page)
    // A plot of half as many pixels.
    for (let width = 400, left = 5; left > 0; left--) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(500)
      const { buckets } = await wireOf(page)
      if (buckets === wanted) break
      width -= (buckets - wanted) / 2
    }
    return [...(await measured(page)), ...wide]
  } finally {
    await browser.close()
  }
}
