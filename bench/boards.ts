// Dashboards in a browser, and on a hundred displays.
import { type Figure, figure, quantile } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { type At, drawn, heapOf, open } from './tab.ts'
import type { World } from './world.ts'

const seconds = 10

/** Twenty-four widgets, eight of them curves of seven points. */
const addBoard = async (at: At) => {
  const Widgets = Array.from({ length: 24 }, (_, i) => ({
    ...{ Id: `w${i}`, Kind: i < 8 ? 'trend' : 'value', X: (i % 4) * 6, Y: Math.floor(i / 4) * 6, W: 6, H: 6 },
    Points: i < 8 ? at.ids.slice(7 * i, 7 * i + 7) : [at.ids[i]],
  }))
  const Content = { Version: 1, Range: '1h', Variables: [], Widgets }
  const { Id } = await at.world.call<{ Id: number }>(at.token, 'POST', '/blade-visual/visual/save', {
    Title: `Bench ${Date.now()}`,
    Content,
  })
  return Id
}
/** Twenty-four widgets, eight of them curves of seven points: until all have drawn, and the calls for it. */
export const boardShown = async (at: At): Promise<Figure[]> => {
  const Id = await addBoard(at)
  const asked: string[] = []
  const took: number[] = []
  for (let i = 0; i < 5; i++) {
    // A new tab: nothing of the board is loaded yet.
    const page = await open(at, '/visualizationCenter/visualizationCenter?list=1')
    page.on('request', (request) => request.url().includes('/visual/data') && asked.push(request.url()))
    took.push(await drawn(page, `/visualizationCenter/visualizationCenter?Id=${Id}`, '.board-widget.of-trend canvas', 8))
    await page.close()
  }
  return [
    figure('board of 24 widgets, 8 with curves: drawn', quantile(took, 0.5), 'ms'),
    figure('data calls a time', asked.length / took.length, 'calls'),
  ]
}

/** A hundred displays of one board, with the requests of their pages. */
export const displays = async (at: At): Promise<Figure[]> => {
  const { world, token } = at
  const Playlist = [{ Kind: 2, Id: await addBoard(at), Seconds: 3600 }]
  const visits: string[] = []
  for (let i = 0; i < 100; i++) {
    const code = await world.call<{ Code: string; Secret: string }>(undefined, 'POST', '/Tv/Begin', {})
    await world.call(token, 'POST', '/Project/Ddt/Television/Pair', { Code: code.Code, TelevisionName: `TV ${i}`, Playlist })
    const { Token } = await world.call<{ Token: string }>(undefined, 'POST', '/Tv/Claim', { Code: code.Code, Secret: code.Secret })
    visits.push((await world.call<{ Visit: string }>(undefined, 'POST', '/Tv/Open', { Token })).Visit)
  }
  let isOver = false
  const watch = async (Visit: string, i: number) => {
    await new Promise((done) => setTimeout(done, 10 * i))
    let Seq: number | undefined
    for (let n = i % 30; !isOver; n++) {
      if (Seq === undefined || n % 30 === 0) await world.call(undefined, 'POST', '/Share/Show', { Visit, Entry: 0 })
      const body = { Visit, Entry: 0, ...(Seq === undefined ? {} : { Seq }) }
      Seq = (await world.call<{ Seq: number }>(undefined, 'POST', '/Share/Follow', body)).Seq
      await new Promise((done) => setTimeout(done, 1000))
    }
  }
  const idle = await cpuShare(world)
  const watching = visits.map(watch)
  await new Promise((done) => setTimeout(done, 3000))
  const busy = await cpuShare(world)
  isOver = true
  await Promise.all(watching)
  return [figure('100 displays of one board: CPU of the server', busy, '% of a core', idle)]
}

const [minute, settled] = [60_000, 60]
/**
 * One display for hours, with live values: a dashboard and a picture in turn. Its memory at the end against that after its first hour, or
 * its first third where it runs for less than two hours.
 */
export const displayForHours = async (at: At, picture: number, hours: number): Promise<Figure[]> => {
  const { world, token } = at
  const page = await at.context.newPage()
  await page.goto(`${world.origin}/drag`)
  const Code = (await page.getByTestId('tv-code').locator('strong').textContent())!.replace(/\W/g, '')
  const Playlist = [
    { Kind: 2, Id: await addBoard(at), Seconds: 40 },
    { Kind: 1, Id: picture, Seconds: 40 },
  ]
  await world.call(token, 'POST', '/Project/Ddt/Television/Pair', { Code, TelevisionName: 'Wall', Playlist })
  await page.locator('.board-figure').first().waitFor()
  const minutes = Math.round(hours * 60)
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const job = { port: world.mqttPort, gateways: world.seeded, values: at.ids.length, window: 0, rate: 1, warmUp: 1, seconds: minutes * 60 }
  const publishing = publisher.run(job)
  const heaps: number[] = []
  for (let n = 0; n <= minutes; n += 5) {
    heaps.push(await heapOf(page))
    console.log(`${n} minutes: ${heaps.at(-1)!.toFixed(2)} MB`)
    if (n < minutes) await page.waitForTimeout(5 * minute)
  }
  await publishing
  await publisher.end()
  await page.close()
  const from = Math.floor(Math.min(settled, minutes / 3) / 5)
  const line = trend(heaps.slice(from))
  return [
    figure(`one display over ${hours} hours: growth of its memory after the first`, 12 * line, 'MB/h'),
    figure('the same, at its end', heaps.at(-1)!, 'MB'),
  ]
}
/** Slope of the least-squares line, per step. */
const trend = (values: readonly number[]) => {
  const [middle, mean] = [(values.length - 1) / 2, values.reduce((sum, v) => sum + v, 0) / values.length]
  const [across, square] = values.reduce(([a, s], v, i) => [a + (i - middle) * (v - mean), s + (i - middle) ** 2], [0, 0] as [
    number,
    number,
  ])
  return square ? across / square : 0
}
const cpuShare = async (world: World) => {
  const before = world.cpu()
  await new Promise((done) => setTimeout(done, seconds * 1000))
  return (100 * (world.cpu() - before)) / seconds
}
