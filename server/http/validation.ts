import { Ajv, type AnySchemaObject, type ErrorObject, type FuncKeywordDefinition, type Options, type ValidateFunction } from 'ajv'
import stringifier from 'fast-json-stringify'
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { Type } from 'typebox'
import type { FaultKey } from '../../contract/faults.ts'
import { allResources } from '../../contract/registry.ts'
import { type Resource, shape, writable } from '../../contract/resource.ts'
import { brokenRules } from '../../contract/rules.ts'
import { snakeCase } from '../../contract/text.ts'
import { type Message, missing, type Validator, violation } from '../../contract/validators.ts'
import { Fault, type FieldFault, FieldFaults } from './faults.ts'

const options = { useDefaults: true, strict: false, removeAdditional: false } as const

/** All wrong fields of a form are named. A body of more entries than this is judged up to its first error, which bounds the work. */
const mostEntries = 1000
const isLarge = (body: unknown) => {
  const left = [body]
  let entries = 0
  while (left.length) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null) continue
    const inside: unknown[] = Array.isArray(one) ? one : Object.values(one)
    entries += inside.length
    if (entries > mostEntries) return true
    left.push(...inside)
  }
  return false
}

/** Letters of a text without a limit of its own. */
const mostLetters = 1000
const tooLong: Message = { key: 'maxLength', values: { max: mostLetters } }

/** The contract's shared validators, as a keyword beside the plain ones; an empty text is judged only where one is needed. */
const shared: FuncKeywordDefinition = {
  keyword: 'x-validator',
  type: ['string', 'number'],
  compile: (name: Validator, schema: AnySchemaObject) => {
    const judge: { (value: unknown): boolean; errors?: Partial<ErrorObject>[] } = (value) => {
      const isLong = typeof value === 'string' && value.length > 2 * (schema.maxLength ?? mostLetters)
      // Its own keyword refuses it.
      if (isLong && schema.maxLength !== undefined) return true
      const isMissing = value === '' && 'minLength' in schema && schema.minLength
      const fault = isLong ? tooLong : isMissing ? missing(name) : violation(name, value)
      if (fault) judge.errors = [{ keyword: 'x-validator', params: fault }]
      return !fault
    }
    return judge
  },
}

/**
 * Judges a pattern only for texts within `maxLength`, or 2,000 characters. Ajv judges it for longer ones too, where it names all errors,
 * and the time of some patterns grows with the square of the length.
 */
const boundedPattern: FuncKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  compile: (pattern: string, { maxLength }: AnySchemaObject) => {
    const expression = new RegExp(pattern, 'u')
    const judge: { (text: string): boolean; errors?: Partial<ErrorObject>[] } = (text) => {
      // Two code units at most are one character.
      const isRight = text.length > 2 * (maxLength ?? mostLetters) ? maxLength !== undefined : expression.test(text)
      if (!isRight) judge.errors = [{ keyword: 'pattern', params: { pattern } }]
      return isRight
    }
    return judge
  },
}

const openAjv = (more: Options = {}) => {
  const [all, first] = [true, false].map((allErrors) =>
    new Ajv({ ...options, ...more, allErrors }).addKeyword(shared).removeKeyword('pattern').addKeyword(boundedPattern),
  ) as [Ajv, Ajv]
  /** Compiled when first used: a start, also one after a crash, would otherwise spend seconds on calls that are not used yet. */
  return (schema: object) => {
    const compiled = new Map<Ajv, ValidateFunction>()
    const judge: { (value: unknown): boolean; errors?: ValidateFunction['errors'] } = (value) => {
      const ajv = isLarge(value) ? first : all
      const validate = compiled.get(ajv) ?? ajv.compile(schema)
      compiled.set(ajv, validate)
      const isRight = validate(value)
      judge.errors = validate.errors
      return isRight
    }
    return judge
  }
}

// Apps in one process share the compiled schemas of the contract.
const exact = openAjv()
const coercing = openAjv({ coerceTypes: 'array' })
const writers = new WeakMap<object, ReturnType<typeof stringifier>>()

/** Bodies are taken as they are; only what comes as text (query, path) is turned into numbers (findings 16). */
export const useValidators = (app: FastifyInstance) => {
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? exact : coercing)(schema as object))
  // Answers list the fields themselves, so a combined text is not needed.
  app.setSchemaErrorFormatter(() => new Error('invalid'))
  app.setSerializerCompiler(({ schema }) => {
    const of = schema as object
    return (data) => {
      const write = writers.get(of) ?? stringifier(of as Parameters<typeof stringifier>[0])
      writers.set(of, write)
      return write(data)
    }
  })
}

const judges = new WeakMap<Resource, ReturnType<ReturnType<typeof openAjv>>>()
/**
 * Answers what is given, which must fit the fields of the resource, whichever way it comes: not every caller has passed the schema of a
 * call. A value that the row has already may stay, and a moment may come as a Date.
 */
export const fitting = <V extends Record<string, unknown>>(r: Resource, when: 'create' | 'update', given: V, before: object = {}): V => {
  const held = before as Record<string, unknown>
  const fields = writable(r, when).filter(([k]) => given[k] !== undefined && given[k] !== held[k] && !(given[k] instanceof Date))
  const judge = judges.get(r) ?? openAjv()(Type.Object(shape(writable(r, 'create'), () => true)))
  judges.set(r, judge)
  if (!judge(Object.fromEntries(fields.map(([k]) => [k, given[k]])))) throw validationFault(judge.errors as FastifySchemaValidationError[])
  const defaults = when === 'create' ? Object.fromEntries(writable(r, when).map(([k, f]) => [k, f.default])) : held
  const touched = fields.map(([k]) => k)
  const broken = brokenRules(r.rules, { ...defaults, ...given }, touched)
  if (broken.length) throw new FieldFaults(broken)
  return given
}

const rules: Record<string, string> = {
  required: 'required',
  minLength: 'required',
  maxLength: 'maxLength',
  minimum: 'min',
  maximum: 'max',
  minItems: 'required',
  maxItems: 'max',
  pattern: 'pattern',
  const: 'choice',
  enum: 'choice',
  additionalProperties: 'unknownField',
}

/** A nullable field fails two branches. Reports the one that is not about null, from a shared validator if there is one. */
const weight = (e: FastifySchemaValidationError) =>
  e.keyword === 'x-validator'
    ? -1
    : e.keyword === 'anyOf'
      ? 2
      : e.keyword === 'type' && e.params.type === 'null'
        ? 3
        : e.keyword === 'type'
          ? 1
          : 0

export const validationFault = (errors: FastifySchemaValidationError[]): FieldFaults => {
  const first = new Map<string, FastifySchemaValidationError>()
  for (const e of errors) {
    const at = e.instancePath.slice(1).replaceAll('/', '.')
    const { missingProperty, additionalProperty } = e.params
    const field = [at, missingProperty ?? additionalProperty].filter(Boolean).join('.')
    const previous = first.get(field)
    if (!previous || weight(e) < weight(previous)) first.set(field, e)
  }
  const fields: FieldFault[] = [...first].map(([field, e]) => {
    if (e.keyword === 'x-validator') {
      const { key, values } = e.params as Message
      return { field, rule: key, values }
    }
    const limit = (e.params as { limit?: number }).limit
    const whole = e.keyword === 'type' && e.params.type === 'integer'
    const rule = whole ? 'integer' : (rules[e.keyword] ?? 'type')
    return limit === undefined ? { field, rule } : { field, rule, values: { min: limit, max: limit } }
  })
  return new FieldFaults(fields)
}

const tables = () => allResources().map((r) => snakeCase(r.name))

const rooms: Record<string, FaultKey> = {
  ...{ MaxUsers: 'noRoom', MaxGateways: 'noRoomGateways', MaxPoints: 'noRoomPoints' },
  MaxRecords: 'noRoomRecords',
}

/**
 * What a constraint of PostgreSQL means to the person: `<table>_<Field>_key` names the field that is taken.
 * Foreign keys and numbers out of range name no field; the kernel checks references before it writes.
 */
export const constraintFault = ({
  code,
  constraint = '',
  detail,
}: {
  code?: string
  constraint?: string
  detail?: string
}): Fault | undefined => {
  // The tenant may not have another one (0021_grants.sql, 0150_most_records.sql).
  if (code === 'PN001') return new Fault(rooms[constraint] ?? 'noRoom', { most: detail ?? '' })
  // The longest name: `device_vnc_VncName_key` is not a key of `device`.
  const [table] = [...tables(), 'user', 'role', 'enterprise']
    .filter((t) => constraint.startsWith(`${t}_`))
    .sort((a, b) => b.length - a.length)
  const field = table ? /^([A-Z]\w*)_key$/.exec(constraint.slice(table.length + 1))?.[1] : undefined
  if (code === '23505') return field ? new FieldFaults([{ field, rule: 'taken' }], 'taken') : new Fault('taken')
  if (code === '23503') return new Fault('inUse')
  // No partition for this row. Column checks have a constraint name.
  if (code === '23514' && !constraint) return new Fault('unavailable')
  const simple: Record<string, FaultKey> = {
    '22003': 'invalid',
    '22007': 'invalid',
    '22008': 'invalid',
    '22P02': 'invalid',
    '22021': 'invalid',
    '22P05': 'invalid',
    '23502': 'invalid',
    '23514': 'invalid',
    '57014': 'unavailable',
    '40001': 'unavailable',
    '40P01': 'unavailable',
    '55P03': 'unavailable',
  }
  const key = simple[code ?? '']
  return key ? new Fault(key) : undefined
}
