import { type Static, Type } from 'typebox'
import { AnyObject, call, Removed } from '../../../contract/call.ts'
import { Frame, Requests } from '../../../contract/described/description.ts'
import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { Mapping } from '../../../contract/parsing/mapping.ts'
import { longestScript } from '../../../contract/parsing/script.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { longestSample, parseInputs } from '../data-parse/contract.ts'

const permission = 'm10502'
/** 1 driver of gateways, 2 language of external senders, 3 described protocol, 4 parser. The last two are imported. */
export const pluginKinds = [1, 2, 3, 4] as const
export const builtIn = [1, 2] as const

/** Protocols for devices and senders: built-in and imported. A company disables those it does not need. */
export const protocolPlugin = resource('protocolPlugin', {
  path: '/Protocol/Plugins',
  permission,
  title: 'PluginName',
  order: 'Kind',
  differs: { create: 'It comes with its package.' },
  // `create` takes a package.
  wire: { create: [] },
  acts: {
    enable: { button: 'edit', set: { Status: 1 }, when: { Kind: [...builtIn], Status: [0] } },
    /** New channels and senders cannot use it. Refused while one does. */
    disable: { button: 'edit', set: { Status: 0 }, when: { Kind: [...builtIn], Status: [1] }, danger: true },
  },
  fields: {
    /** Built-in plugins have words in the console. */
    PluginName: text({ required: true, unique: true, search: true }),
    Kind: choice(pluginKinds, { required: true, set: 'never', search: true, default: 3 }),
    /** Of a built-in plugin: its `ProtocolType` or its language. */
    Number: number({ integer: true, set: 'never' }),
    /** 0 off, 1 on. */
    Status: choice([0, 1], { required: true, set: 'never', search: true, default: 1 }),
    /** The described protocol or parser that the package became. */
    SelfParseId: ref('selfParse', { set: 'never' }),
    DataParseId: ref('dataParse', { set: 'never' }),
    Remark: long(),
  },
})
export type ProtocolPlugin = Row<typeof protocolPlugin>

const Text = Type.String()
/** A described protocol, or a parser by mapping or script. */
export const Package = Type.Object(
  {
    Kind: Type.Unsafe<'selfParse' | 'dataParse'>({ enum: ['selfParse', 'dataParse'] }),
    Frame: Type.Optional(Frame),
    Requests: Type.Optional(Requests),
    Mapping: Type.Optional(Mapping),
    Script: Type.Optional(Type.String({ maxLength: longestScript })),
    Input: Type.Optional(Type.Unsafe<(typeof parseInputs)[number]>(Type.Union(parseInputs.map((one) => Type.Literal(one))))),
    Topic: Type.Optional(Type.String({ maxLength: 200 })),
    Sample: Type.Optional(Type.String({ maxLength: longestSample })),
  },
  { additionalProperties: false },
)
export type Package = Static<typeof Package>

const Use = Type.Object({ Resource: Text, Id, Title: Text })
const Uses = Type.Object({ Id, Count: Type.Integer(), UsedBy: Type.Array(Use) })
export type Uses = Static<typeof Uses>
/** Maximum listed users of a plugin. */
export const namedUses = 10

export const pluginCalls = {
  /** Imports a package: it becomes a described protocol or a parser of the same name. */
  create: call({
    ...{ method: 'POST', path: protocolPlugin.path, permission: `${permission}.add` },
    body: Type.Object(
      {
        PluginName: Type.String({ minLength: 1, maxLength: 50 }),
        Package,
        Remark: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
        EnterpriseId: Type.Optional(Id),
      },
      { 'x-bytes': 1024 * 1024 },
    ),
    answer: Type.Unsafe<ProtocolPlugin>(schemas(protocolPlugin).row),
  }),
  /** Deletes several, all or none, with what they became. Built-in ones stay. */
  removeMany: call({
    ...{ method: 'DELETE', path: '/Protocol/BatchPlugins', permission: `${permission}.remove` },
    ...{ query: AnyObject, answer: Removed },
  }),
  /** The users, as far as visible to the caller, of the caller's plugins. */
  uses: call({
    ...{ method: 'GET', path: `${protocolPlugin.path}/UseList`, permission },
    answer: Type.Array(Uses),
  }),
}
