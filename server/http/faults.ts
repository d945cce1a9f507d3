import type { Details } from '../../contract/call.ts'
import { type FaultKey, faults } from '../../contract/faults.ts'

/** A refusal with a key of the catalogue; the wrapper turns it into words of the caller's language. */
export class Fault extends Error {
  readonly key: FaultKey
  readonly status: number
  /** Fills `{name}` in the words. */
  readonly values: Record<string, string | number>
  readonly details: Details
  constructor(key: FaultKey, values: Record<string, string | number> = {}, details: Details = {}) {
    super(key)
    this.key = key
    this.status = faults[key]
    this.values = values
    this.details = details
  }
}

/** Words of one rule of a field: key at `fault.field.<rule>`, or a whole key (one with a dot), filled by the wrapper. */
export type FieldFault = { field: string; rule: string; values?: Record<string, string | number> }

/** Wrong fields that one answer names. */
const mostFields = 50

/** 400 whose messages land on the fields they name. */
export class FieldFaults extends Fault {
  readonly fields: FieldFault[]
  constructor(fields: FieldFault[], key: FaultKey = 'invalid', values: Record<string, string | number> = {}) {
    super(key, values)
    this.fields = fields.slice(0, mostFields)
  }

  /** The same refusal of a record within a list, such as `Items.3`. */
  below(place: string) {
    return new FieldFaults(
      this.fields.map((f) => ({ ...f, field: `${place}.${f.field}` })),
      this.key,
      this.values,
    )
  }
}

export const notFound = () => new Fault('notFound')

/** What still uses a record; `Seen`: the actor may see it, and it is named. */
export type Holder = { Id: number; Title: string; Seen: boolean }
export type User = Holder & { Resource: string }
export const inUse = (users: readonly User[]) =>
  new Fault('inUse', {}, { UsedBy: users.filter((u) => u.Seen).map(({ Resource, Id, Title }) => ({ Resource, Id, Title })) })
export const inUseBy = (Resource: string, holders: readonly Holder[]) => inUse(holders.map((holder) => ({ Resource, ...holder })))
