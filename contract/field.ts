// Fields are plain data, so server, console and edge can all read them and none can hide logic in them.
import type { Static, TSchema } from 'typebox'
import type { FilesPurpose } from './files.ts'
import type { Language } from './languages.ts'
import { mostMoney } from './money.ts'
import type { Range, Validator } from './validators.ts'

type Common = {
  /** Must be given when the row is made, and is never null. `'create'`: the server may empty it later. */
  required?: boolean | 'create'
  /** Taken once in the tenant (true), in the whole installation ('everywhere'), or within the record another field points to. */
  unique?: true | 'everywhere' | (string & {})
  /** Stands in the search bar and takes part in text search. */
  search?: boolean
  /** Who may set it: people at any time (default), only when the row is made, or only the server. */
  set?: 'always' | 'create' | 'never'
  /** Stored if the draft leaves it out. */
  default?: string | number | readonly number[]
  /** Left out of the template of a sheet. A sheet that has the column is read. */
  template?: false
  /** Its section of the form; words at `section.<name>`. */
  section?: string
  /** Permission required to read, filter or set it. */
  seenWith?: string
}

/** By value, those that may follow. */
export type Moves = Readonly<Record<string, readonly (number | string)[]>>

/** Fields that a reference fills where they are empty, and the field of the other record that each takes: one, or one per language. */
export type Fills = Readonly<Record<string, string | Readonly<Record<Language, string>>>>

export type Field = Common &
  (
    | { kind: 'text'; max: number; pattern?: string; validator?: Validator }
    | { kind: 'long'; max: number }
    /** Money: an amount in the currency of the company, stored in billionths of it (contract/money.ts). */
    | { kind: 'number'; min?: number; max?: number; integer?: boolean; unit?: string; validator?: Range; money?: true }
    /** 0 and 1 on the wire. Inverted: 0 means yes, as in the point table. */
    | { kind: 'flag'; inverted?: boolean }
    /**
     * One of a closed list of codes; words at `<resource>.<field>.<code>`. A record begins with the default, and goes from value to value by
     * `moves`. `more`: values that the server alone sets.
     */
    | { kind: 'choice'; of: readonly (number | string)[]; moves?: Moves; more?: readonly (number | string)[] }
    /** A moment; `YYYY-MM-DD HH:mm:ss` in the user's zone on the wire (ruling 34a). Age: lists show how long ago it was. */
    | { kind: 'instant'; age?: true }
    /** Files that people have sent, `[{ FilePath, FileName }]`; everybody who sees the record can read them, and they are deleted with it. */
    | { kind: 'files'; most: number; purpose: FilesPurpose }
    /** The Id of a row of another resource; `as` names the joined title in answers. `fills` fills empty fields from the chosen row. */
    | { kind: 'ref'; to: string; as?: string; fills?: Fills }
    /**
     * Shape is a JSON Schema; the screen brings its own editor. `names`: JSON paths to the Ids of records that it names, by resource; such
     * a record cannot be removed. Its service holds them by `for key share` when it writes.
     */
    | { kind: 'json'; schema: object; names?: Readonly<Record<string, string>> }
  )

/** Lists and objects: a sheet, a filter and an order have no use for them. */
export const isStructured = ({ kind }: Field) => kind === 'json' || kind === 'files'

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>
type Options<K extends Field['kind']> = Partial<Omit<Of<K>, 'kind'>>
type Made<K extends Field['kind'], O> = { kind: K } & Pick<Of<K>, Exclude<keyof Of<K>, keyof O | 'kind'>> & Readonly<O>

const make =
  <K extends Field['kind']>(kind: K, base: Options<K>) =>
  <const O extends Options<K> = object>(options?: O) =>
    ({ kind, ...base, ...options }) as unknown as Made<K, O>

export const text = make('text', { max: 50 })
export const long = make('long', { max: 200 })
export const number = make('number', {})
export const money = make('number', { money: true, min: 0, max: mostMoney })
export const flag = make('flag', {})
export const instant = make('instant', { set: 'never' } as Options<'instant'>)
export const files = make('files', { most: 10, purpose: 'attachment' } as Options<'files'>)
export const json = make('json', { schema: {} })
export const choice = <
  const T extends readonly (number | string)[],
  const O extends Common & Pick<Of<'choice'>, 'moves' | 'more'> = object,
>(
  of: T,
  options?: O,
) => ({ kind: 'choice', of, ...options }) as unknown as Made<'choice', O & { of: T }>
export const ref = <const O extends Common & { as?: string; fills?: Fills } = object>(to: string, options?: O) =>
  ({ kind: 'ref', to, ...options }) as unknown as Made<'ref', O & { to: string }>

/** A stored file as a record names it. */
export type Attachment = { FilePath: string; FileName: string }

type Plain<F> = F extends { kind: 'number' | 'ref' }
  ? number
  : F extends { kind: 'flag' }
    ? 0 | 1
    : F extends { kind: 'choice'; of: readonly (infer V)[] }
      ? V
      : F extends { kind: 'json'; schema: infer S }
        ? S extends TSchema
          ? Static<S>
          : unknown
        : F extends { kind: 'files' }
          ? readonly Attachment[]
          : string

export type Value<F> = F extends { required: true } ? Plain<F> : Plain<F> | null
