// First start with the demo: time to the login page and to thirteen months of history.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPlant } from '../contract/demo-plant.ts'
import { historyOf } from '../plant/history.ts'
import { prepareFolder } from '../server/telemetry/format.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, hour } from '../server/telemetry/store/store.ts'
import { dayOf } from './energy-meters.ts'
import { type Figure, figure } from './figures.ts'
import { password } from './world.ts'

const [days, waitMs] = [396, 600_000]

type Start = { page: number; history: number }
/** Seconds of a start with a demo, or without one. */
const start = async (demo: boolean): Promise<Start> => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'))
  const began = performance.now()
  const child = spawn(process.execPath, ['--max-old-space-size=1536', join(import.meta.dirname, '../main/server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...{ PATH: process.env.PATH, PENSTOCK_DATA: folder, PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0', PENSTOCK_LOG: 'error' },
      ...{ PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_DEMO_HISTORY: String(days), ...(demo ? {} : { PENSTOCK_DEMO: 'off' }) },
    },
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    return await new Promise<Start>((done, failed) => {
      let said = ''
      let page: Promise<number> | undefined
      setTimeout(() => failed(new Error(`The first start is not over:\n${said}`)), waitMs).unref()
      child.stdout.on('data', async (chunk) => {
        said += chunk
        const origin = /ready: +(http:\/\/\S+)/.exec(said)?.[1]
        if (origin)
          page ??= fetch(origin)
            .then((answer) => answer.text())
            .then(() => (performance.now() - began) / 1000)
        if (page && !demo) done({ page: await page, history: 0 })
        if (page && /written in \d+ s/.test(said)) done({ history: (performance.now() - began) / 1000, page: await page })
      })
      child.once('exit', () => failed(new Error(`The server ended:\n${said}`)))
    })
  } finally {
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Readings of the same past, and nothing but their way into the files. */
const appendAlone = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'))
  try {
    const end = Math.floor(Date.now() / day) * day
    await prepareFolder(folder)
    const store = await openDuckDbStore({ folder: join(folder, 'store'), clock: () => end + hour, log: console.error })
    const all = Array.from({ length: days }, (_, i) => end - (days - i) * day)
    // A load covers one month, or one day of a month that may be open.
    const open = dayOf(end - 2 * day).slice(0, 7)
    let took = 0
    for (const froms of Map.groupBy(all, (from) => (dayOf(from).slice(0, 7) < open ? dayOf(from).slice(0, 7) : dayOf(from))).values()) {
      const pieces = froms.map((from) => {
        const rows = historyOf({ start: from / 1000, until: (from + day) / 1000, fine: false })
        return Array.from({ length: rows.length / 3 }, (_, i) => ({
          ...{ point: rows[3 * i]! + 1, time: 1000 * rows[3 * i + 1]!, value: rows[3 * i + 2]!, quality: 0 },
        }))
      })
      const began = performance.now()
      await store.load(
        (async function* () {
          for (const piece of pieces) yield piece
        })(),
      )
      took += performance.now() - began
    }
    await store.close()
    return took / 1000
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const firstStart = async (): Promise<Figure[]> => {
  const plain = await start(false)
  const { page, history } = await start(true)
  const points = demoPlant.flatMap(({ Points }) => Points).length
  return [
    figure(`first start with a demo of ${points} points: login page (bare: without a demo)`, page, 's', plain.page),
    figure(`the same: ${days} days of history are written (bare: append alone)`, history, 's', await appendAlone()),
  ]
}
