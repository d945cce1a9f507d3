import { type GatewaySettings, gatewaySettings, type SettingName, settingNames } from '../contract/gateway-settings.ts'

const levels = gatewaySettings.LogLevel.of
export type Level = (typeof levels)[number]
type Options = {
  /** Values that this gateway was started with; the catalogue has the others. */
  start: Partial<Record<SettingName, string | number | undefined>>
  setBackfillRate(perSecond: number): void
  setBufferBytes(bytes: number): Promise<void>
  log(line: string): void
}
const softGateway = 1
const own = settingNames.filter((name) => (gatewaySettings[name].types as readonly number[]).includes(softGateway))

/** The settings of the gateway itself: a configuration sets them, and what it leaves out is as at the start. */
export const ownSettings = ({ start, setBackfillRate, setBufferBytes, log }: Options) => {
  const valuesOf = (given: GatewaySettings = {}): GatewaySettings =>
    Object.fromEntries(own.map((name) => [name, given[name] ?? start[name] ?? gatewaySettings[name].default!]))
  let running = valuesOf()
  return {
    /** What it runs, by name. */
    running: () => running,
    apply: async (given?: GatewaySettings) => {
      running = valuesOf(given)
      setBackfillRate(Number(running.BackfillRate))
      await setBufferBytes(Number(running.BufferSize) * 1024 * 1024)
    },
    /** Logs a line, unless its level is finer than the one that is set. */
    log: (level: Level, line: string) => {
      if (levels.indexOf(level) <= levels.indexOf(running.LogLevel as Level)) log(line)
    },
  }
}
