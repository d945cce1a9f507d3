// The lists of an answer are written entry by entry: a large one, such as a page of rows with checklists, lets other calls run in between.
import stringifier from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { ownTurn } from '../jobs/ownTurn.ts'
import { succeededText } from './wrapper.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: unknown
}
type Write = (value: unknown) => string
/** Compiled when it is first used, as the schemas of whole answers are (validation.ts). */
const writing = (schema: Schema): Write => {
  let write: Write | undefined
  return (value) => {
    write ??= stringifier(schema as Parameters<typeof stringifier>[0])
    return write(value)
  }
}

/** How long entries are written without a pause, ms. */
const pauseMs = 5
const listText = async (entries: readonly unknown[], write: Write) => {
  const texts: string[] = []
  let since = performance.now()
  for (const entry of entries) {
    texts.push(write(entry))
    if (performance.now() - since < pauseMs) continue
    await ownTurn()
    since = performance.now()
  }
  return `[${texts.join(',')}]`
}

const isList = ({ type, items }: Schema) => type === 'array' && items !== undefined
type AnswerWriter = (data: unknown) => Promise<string | undefined>
const makeWriter = (answer: TSchema | undefined): AnswerWriter => {
  const schema = (answer ?? {}) as Schema
  if (isList(schema)) {
    const write = writing(schema.items!)
    return async (data) => (Array.isArray(data) ? succeededText(await listText(data, write)) : undefined)
  }
  const lists = Object.entries(schema.properties ?? {}).filter(([, one]) => isList(one))
  if (schema.type !== 'object' || schema.additionalProperties || !lists.length) return async () => undefined
  const names = new Set(lists.map(([name]) => name))
  const rest = writing({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties!).filter(([name]) => !names.has(name))),
    required: (schema.required ?? []).filter((name) => !names.has(name)),
  })
  const writes = lists.map(([name, one]) => ({ name, write: writing(one.items!) }))
  return async (data) => {
    const values = data as Record<string, unknown>
    if (typeof data !== 'object' || data === null || writes.some(({ name }) => !Array.isArray(values[name]))) return undefined
    const texts: string[] = []
    for (const { name, write } of writes) texts.push(`${JSON.stringify(name)}:${await listText(values[name] as unknown[], write)}`)
    const others = rest(data).slice(1, -1)
    return succeededText(`{${[...(others ? [others] : []), ...texts].join(',')}}`)
  }
}

const writers = new WeakMap<TSchema, AnswerWriter>()
/** The text of a successful answer, of a schema that is a list or has some; undefined where it is written as a whole. */
export const answerWriter = (answer: TSchema | undefined): AnswerWriter => {
  const writer = (answer && writers.get(answer)) ?? makeWriter(answer)
  if (answer) writers.set(answer, writer)
  return writer
}
