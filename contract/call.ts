import { type Static, type TSchema, Type } from 'typebox'
import { Id } from './resource.ts'

/**
 * 'public' needs nothing, 'session' a signed-in user, 'caller' a signed-in user or a program; anything else is a menu or button code of
 * `areas/menus.ts`.
 */
export type Permission = 'public' | 'session' | 'caller' | (string & {})

/** One call of the API, as data. The server serves it, the console calls it, OpenAPI documents it. */
export type Call<B extends TSchema = TSchema, Q extends TSchema = TSchema, A extends TSchema = TSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api`. */
  path: string
  permission: Permission
  /** Further codes. One is enough: several screens make the same call. */
  alsoBy?: readonly string[]
  /** It writes nothing, so a preview as a role may make it. Without a word: a GET whose permission is no button. */
  reads?: boolean
  /** Older or newer generations of the same call (ruling 2). */
  aliases?: readonly string[]
  body?: B
  query?: Q
  answer?: A
}

// What many calls take and answer.
export const AnyObject = Type.Object({}, { additionalProperties: true })
export const ById = Type.Object({ Id })
export const IdList = (most = 1000) => Type.Array(Id, { minItems: 1, maxItems: most })
/** Idempotency key chosen by the caller: the same key is the same step, file or reading. */
export const ClientKey = Type.String({ minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' })
export const Changed = Type.Object({ Changed: Type.Integer() })
export const Removed = Type.Object({ Removed: Type.Integer() })

export const call = <B extends TSchema, Q extends TSchema, A extends TSchema>(c: Call<B, Q, A>) => c

export type Body<C> = C extends { body?: infer S extends TSchema } ? Static<S> : undefined
export type Query<C> = C extends { query?: infer S extends TSchema } ? Static<S> : undefined
export type Answer<C> = C extends { answer?: infer S extends TSchema } ? Static<S> : unknown

/** Every answer on the wire (ruling 6, 8). */
export type Wrapper<T = unknown> = { Succeeded: boolean; StatusCode: number; Data: T; Errors: string | null; Details?: Details }
export type Details = {
  /** Messages by field, in the caller's language. */
  Fields?: Record<string, string[]>
  /** Messages by row and field of an imported sheet; rows count as in the sheet, the header is 1. */
  Rows?: { Row: number; Field: string; Message: string; Cell?: string; Value?: string }[]
  /** What still uses the record that cannot be removed. */
  UsedBy?: { Resource: string; Id: number; Title: string }[]
  /** The current row, if a change was refused because of a conflict. */
  Current?: Record<string, unknown>
  /** Key of the fault in the words, for programs. */
  Fault?: string
  RequestId?: string
}

export const wrapped = (data: TSchema) =>
  Type.Object({
    Succeeded: Type.Boolean(),
    StatusCode: Type.Integer(),
    Data: data,
    Errors: Type.Union([Type.String(), Type.Null()]),
    Details: Type.Optional(AnyObject),
  })

/** The answer of a list (ruling 9). TotalCount is exact up to 10,000; beyond, TotalMore is set. */
export const page = (row: TSchema) =>
  Type.Object({
    PageIndex: Type.Integer(),
    PageSize: Type.Integer(),
    TotalCount: Type.Integer(),
    TotalMore: Type.Boolean(),
    TotalPages: Type.Integer(),
    Items: Type.Array(row),
    HasPrevPages: Type.Boolean(),
    HasNextPages: Type.Boolean(),
    NextCursor: Type.Optional(Type.String()),
    PrevCursor: Type.Optional(Type.String()),
  })
export type Page<T> = {
  PageIndex: number
  PageSize: number
  TotalCount: number
  TotalMore: boolean
  TotalPages: number
  Items: T[]
  HasPrevPages: boolean
  HasNextPages: boolean
  /** Given back as `Cursor`, the page after or before this one, found by its key instead of by counting. */
  NextCursor?: string
  PrevCursor?: string
}

/** Pages of a call that is no list of the kernel. What is far beyond any row would only break the database's numbers. */
export const paging = (mostRows = 1000) => ({
  PageIndex: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e9 })),
  PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRows })),
})

/** LogicOP of a query condition (ruling 9). Resembles: contains, ignoring case, accents, hyphens and spaces. */
export const LogicOP = {
  contains: 1,
  equals: 2,
  notEquals: 3,
  atLeast: 4,
  atMost: 5,
  dateFrom: 6,
  dateTo: 7,
  oneOf: 8,
  resembles: 9,
} as const
export type Condition = { Field: string; Value: string | number | null; LogicOP: number }
