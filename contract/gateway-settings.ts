// Settings of a gateway itself, beside its channels, devices and points.

export type Setting = { types: readonly number[] } & (
  | { kind: 'number'; min: number; max: number; default: number; unit: string }
  | { kind: 'choice'; of: readonly string[]; default: string }
  | { kind: 'host'; default: null }
)
const soft = [1]
const boxes = [53, 54, 55, 71, 73]

/** The catalogue by name. `types` are the gateway types that have the setting. The default applies if no value is set. */
export const gatewaySettings = {
  /** Messages of stored readings that are sent in a second, at most. */
  BackfillRate: { types: [...soft, ...boxes], kind: 'number', min: 1, max: 200, default: 20, unit: '1/s' },
  /** Readings that wait for the server. Beyond it, the oldest are dropped. */
  BufferSize: { types: [...soft, ...boxes], kind: 'number', min: 16, max: 1_048_576, default: 1024, unit: 'MB' },
  LogLevel: { types: [...soft, ...boxes], kind: 'choice', of: ['error', 'info', 'debug'], default: 'info' },
  /** The soft gateway has the clock of its machine, and asks the server. */
  TimeServer: { types: boxes, kind: 'host', default: null },
} as const satisfies Record<string, Setting>
export type SettingName = keyof typeof gatewaySettings
export const settingNames = Object.keys(gatewaySettings) as SettingName[]
export const settingOf = (name: string): Setting | undefined =>
  Object.hasOwn(gatewaySettings, name) ? gatewaySettings[name as SettingName] : undefined

/** Values as gateways receive and report them. */
export type GatewaySettings = Record<string, string | number>
/** Capability of gateways that take settings. */
export const settingsCapability = 'settings'

const isHost = (text: string) => /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?$/.test(text)

/** The value that a text of a person means; undefined if it is none of the setting. */
export const settingValue = (setting: Setting, text: string | number): string | number | undefined => {
  if (setting.kind === 'number') {
    const value = typeof text === 'number' || /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return Number.isInteger(value) && value >= setting.min && value <= setting.max ? value : undefined
  }
  if (typeof text !== 'string') return undefined
  return (setting.kind === 'choice' ? setting.of.includes(text) : isHost(text)) ? text : undefined
}
