// Settings: one record of each tenant, or one of the platform. The kernel serves them and shows their form.
import { type TSchema, Type } from 'typebox'
import { call } from './call.ts'
import type { Field, Value } from './field.ts'
import { answerSchema, type Fields, Stamp, valueSchema } from './resource.ts'

/**
 * Secrets, each with the fields that decide where it goes and how it is protected on the way. A change of one of them needs the secret
 * again: otherwise people who may edit the fields could send the secret to another host.
 */
export type BoundSecrets = Readonly<Record<string, readonly string[]>>

export type Settings<F extends Fields = Fields> = {
  /** They are stored and logged under it. Words at `<name>.<Field>`, `help.<name>.<Field>`. */
  name: string
  /** The specification's path: GET and PUT. */
  path: string
  per: 'tenant' | 'platform'
  /** Menu code that guards reading; `.edit` is its button. */
  permission: string
  /** What guards reading, where it is not the menu code. */
  readBy?: string
  /** Fields that are not set have their default. */
  fields: F
  /** Write-only: answers contain `Has<Secret>` instead. */
  secrets: BoundSecrets
}
export type SettingsValues<S extends Settings> = { [K in keyof S['fields']]: Value<S['fields'][K]> }

export const settings = <const F extends Fields>(
  name: string,
  s: Omit<Settings<F>, 'name' | 'secrets'> & { secrets?: Readonly<Record<string, readonly (keyof F & string)[]>> },
): Settings<F> => ({ name, secrets: {}, ...s })

/** A secret that is not given stays; null takes it away. */
export const Secret = Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 300 }), Type.Null()]))

/** A change names what it changes. What the answer has beside the fields may come back with it; anything else is refused by name. */
export const settingsCalls = <S extends Settings>({ path, permission, readBy = permission, fields, secrets }: S) => {
  const mapped = (schema: (f: Field) => TSchema) => Object.fromEntries(Object.entries(fields).map(([k, f]) => [k, schema(f)]))
  const ofSecrets = (schema: TSchema, before = '') => Object.fromEntries(Object.keys(secrets).map((s) => [before + s, schema]))
  const answer = Type.Unsafe<SettingsValues<S> & { UpdateStamp: number }>(
    Type.Object({ ...mapped(answerSchema), ...ofSecrets(Type.Integer(), 'Has'), UpdateStamp: Stamp }),
  )
  const body = Type.Object(
    {
      ...mapped((f) => Type.Optional(valueSchema(f))),
      ...ofSecrets(Secret),
      ...ofSecrets(Type.Optional(Type.Integer()), 'Has'),
      UpdateStamp: Type.Optional(Stamp),
    },
    { additionalProperties: false },
  )
  return {
    get: call({ method: 'GET', path, permission: readBy, answer }),
    put: call({ method: 'PUT', path, permission: `${permission}.edit`, body, answer }),
  }
}
