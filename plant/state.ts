// What the plant remembers over a restart: its totals, and the set points that people have chosen.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { demoPlant } from '../contract/demo-plant.ts'
import { countedAt, counters, setTotal, total } from './model/counters.ts'
import type { World } from './model/world.ts'
import { signals } from './signals.ts'

/** By `device/point`; `seconds` is the moment of the totals. */
export type State = { seconds: number; totals: Record<string, number>; settings: Record<string, number> }

/** Commands that a control loop takes back are no settings. */
const isSetting = (name: string) => /set point$|^Hysteresis$|^(Coagulant pump|Mixer|Dosing pump|Reactor) command$/.test(name)
const settings = demoPlant.flatMap(({ DeviceName, Points }) =>
  Points.filter((p) => p.ReadWriteType === 1 && isSetting(p.ParaName)).map((p) => ({
    name: `${DeviceName}/${p.ParaName}`,
    signal: signals(DeviceName).get(p.ParaName)!,
  })),
)

export const stateOf = (w: World): State => ({
  seconds: w.seconds,
  totals: Object.fromEntries(counters.map((of) => [`${of.device}/${of.point}`, total(w, of)])),
  settings: Object.fromEntries(settings.map(({ name, signal }) => [name, Number(signal.get(w))])),
})

/** Totals go on from where they were, with what went by since; set points are as people left them. */
export const restore = (w: World, state: State) => {
  for (const of of counters) {
    const saved = state.totals[`${of.device}/${of.point}`]
    if (saved === undefined) continue
    setTotal(w, of, saved + Math.max(0, countedAt(of, w.seconds) - countedAt(of, state.seconds)))
  }
  for (const { name, signal } of settings) if (state.settings[name] !== undefined) signal.set!(w, state.settings[name])
}

/** Undefined where there is none yet, or none that can be read: the plant begins as its date says. */
export const readState = (file: string): State | undefined => {
  try {
    const { seconds, totals = {}, settings = {} } = JSON.parse(readFileSync(file, 'utf8')) as State
    return Number.isFinite(seconds) ? { seconds, totals, settings } : undefined
  } catch {
    return undefined
  }
}

/** In one go: a kill leaves the old file or the new one. */
export const writeState = (file: string, state: State) => {
  writeFileSync(`${file}.tmp`, JSON.stringify(state), { flush: true })
  renameSync(`${file}.tmp`, file)
}
