// What a protocol of a channel is, as data: the pre-check, gateways, sheets, the console and docs/protocols.md read the same.
import type { Field } from '../field.ts'
import type { columnFields } from '../point-fields.ts'
import type { SettingFault, Settings } from './settings.ts'

/** How a gateway comes to its device: it dials, it is dialled, or both are on a serial line. */
export type Target = 'dials' | 'dialled' | 'serial'
export type Column = keyof typeof columnFields
/** A secret goes in and never comes out. */
export type SettingField = Field & {
  secret?: true
  /** Asked for only while another setting has one of these values. */
  when?: readonly [name: string, values: readonly (string | number)[]]
}

/** An address, and one text for all ways to write it: rows with one key read the same value. */
export type Parsed<A> = { address: A; key: string }
/** The first character that is wrong, counted from 0. */
export type Misread = { at: number }
/** A refusal of a row, by column. Words at `pushReason.<reason>`. */
export type RowFault = [column: Column, reason: string, values?: Record<string, string | number>]

/** The columns of a point that a protocol judges. */
export type Row = { Address: string; ParaDataType: number; RegisterType: number; ReadWriteType: number; SlaveNumber: number }

export type Protocol<A = unknown> = {
  /** `ProtocolType` on the wire (ruling 46). */
  number: number
  /** Its file here and its folder in edge/drivers. Words: `protocol.<name>` and `protocol.<name>.help`. */
  name: string
  /** It asks, or values come by themselves. */
  polls: boolean
  listens: boolean
  /** Its devices can be asked what they have. */
  browses?: true
  /** The targets that it has, each with the capability word of a gateway that can do it. */
  targets: Partial<Record<Target, string>>
  /** Older gateways have it without saying so. */
  isBase?: true
  /** The usual port. Without one, settings say where the device is. */
  port?: number
  /** An example of the address, where the setting `Url` says where the device is. */
  url?: string
  /** Settings of the channel beside its target. */
  channel: Readonly<Record<string, SettingField>>
  /** What its fields cannot say alone. */
  together?: (given: Settings) => SettingFault[]
  /** Settings of a device beside its unit ID. */
  device: Readonly<Record<string, SettingField>>
  /** Settings of the channel that decide where its secrets go. */
  binds?: readonly string[]
  /** Settings that make two channels of one target two lines. */
  apart?: readonly string[]
  /** Two channels may share a target: the device takes many connections, and none disturbs another. */
  isShared?: true
  example: string
  parse(text: string): Parsed<A> | Misread
  /** Columns of a point that mean nothing here. */
  unused: readonly Column[]
  /** What the columns cannot say alone. */
  faults(row: Row): RowFault[]
}

/** The first character of a text that no text of the pattern has; the pattern takes as much as it can. */
export const misread = (text: string, prefix: RegExp): Misread => ({ at: prefix.exec(text)?.[0].length ?? 0 })

type Described<A> = Omit<Protocol<A>, 'faults' | 'channel' | 'device' | 'unused'> &
  Partial<Pick<Protocol<A>, 'channel' | 'device' | 'unused'>> & { judge?: (row: Row, address: A) => RowFault[] }

export const protocol = <A>({ judge, ...given }: Described<A>): Protocol<A> => ({
  ...{ channel: {}, device: {}, unused: [] },
  ...given,
  faults: (row) => {
    const parsed = given.parse(row.Address)
    if ('at' in parsed) return [['Address', 'addressForm', { at: parsed.at + 1, example: given.example }]]
    return judge?.(row, parsed.address) ?? []
  },
})
