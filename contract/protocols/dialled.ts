// Channel settings for devices that dial in, such as a DTU in front of a serial line.
import { choice, number, text } from '../field.ts'
import type { Protocol, SettingField, Target } from './protocol.ts'
import type { SettingFault, Settings } from './settings.ts'

/** Bytes of a registration or a heartbeat. */
export const mostIdentity = 256

/** One address or one network: 10.1.0.0/16, 2001:db8::/32. */
const network = '[0-9A-Fa-f.:]{2,45}(/\\d{1,3})?'
export const dialledFields: Readonly<Record<string, SettingField>> = {
  Transport: choice(['tcp', 'udp'], { required: true, default: 'tcp' }),
  /** What the device says first. Text, bytes as hexadecimal digits, or text in which * is any run and ? any one character. */
  RegistrationForm: choice(['text', 'hex', 'pattern'], { required: true, default: 'text' }),
  Registration: text({ required: true, max: mostIdentity * 2 }),
  HeartbeatForm: choice(['text', 'hex'], { default: 'text' }),
  /** Taken out wherever it comes. */
  Heartbeat: text({ max: mostIdentity * 2 }),
  HeartbeatPeriod: number({ integer: true, min: 5, max: 86_400, unit: 's', default: 60 }),
  /** Where it may come from; anywhere without one. */
  Networks: text({ max: 500, pattern: `^${network}( *, *${network})*$` }),
}

/** What a channel asks of its settings, by the way its gateway comes to the device. */
export const channelFields = (protocol: Protocol, target: Target): Protocol['channel'] =>
  target === 'dialled' ? { ...protocol.channel, ...dialledFields } : protocol.channel

/** Bytes of a registration or heartbeat; undefined where it is none. */
export const identityBytes = (form: unknown, value: unknown): Uint8Array | undefined => {
  if (typeof value !== 'string' || !value) return undefined
  if (form !== 'hex') return new TextEncoder().encode(value)
  const digits = value.replace(/\s/g, '')
  if (!/^([0-9A-Fa-f]{2})+$/.test(digits)) return undefined
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16))
}

/** What the fields of a device that dials cannot say alone. */
export const dialledFaults = (given: Settings = {}): SettingFault[] => {
  const faults: SettingFault[] = []
  for (const name of ['Registration', 'Heartbeat'])
    if (given[name] && (identityBytes(given[`${name}Form`], given[name])?.length ?? mostIdentity + 1) > mostIdentity)
      faults.push({ name, rule: 'pattern' })
  // UDP source addresses can be forged, so require a list of allowed networks.
  if (given.Transport === 'udp' && !given.Networks) faults.push({ name: 'Networks', rule: 'required' })
  return faults
}

/** What the fields of a channel cannot say alone. */
export const togetherFaults = (protocol: Protocol, target: Target, given: Settings = {}): SettingFault[] => [
  ...(target === 'dialled' ? dialledFaults(given) : []),
  ...(protocol.together?.(given) ?? []),
]

/** Two channels of one place wait for the same device. */
export const dialledPlace = (port: number | undefined, given: Settings = {}) =>
  [given.Transport === 'udp' ? 'udp' : 'tcp', port, given.RegistrationForm ?? 'text', given.Registration ?? ''].join(' ')
