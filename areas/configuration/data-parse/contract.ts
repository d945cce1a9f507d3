import { type Static, Type } from 'typebox'
import { AnyObject, ById, call, page, Removed } from '../../../contract/call.ts'
import { choice, json, long, number, text } from '../../../contract/field.ts'
import { links } from '../../../contract/links.ts'
import { Mapping, type Parsed, parseFaults } from '../../../contract/parsing/mapping.ts'
import { longestScript, scriptFaults } from '../../../contract/parsing/script.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { device } from '../devices/contract.ts'
import { gateway } from '../gateways/contract.ts'
import { project } from '../projects/contract.ts'

const permission = 'm10504'
/** Characters of a sample, and of a message that is tried. */
export const longestSample = 65_536

/** 1 mapping, 2 script. */
export const parseKinds = [1, 2] as const
/** 1 JSON, 2 text, 3 bytes. */
export const parseInputs = [1, 2, 3] as const

/** How the messages of foreign senders become readings. */
export const dataParse = resource('dataParse', {
  path: '/Protocol/DataParse',
  permission,
  title: 'ParseName',
  order: 'ParseName',
  differs: { unsettable: 'The server hashes the mapping or script.' },
  fields: {
    ParseName: text({ required: true, unique: true, search: true }),
    Kind: choice(parseKinds, { required: true, search: true, default: 1 }),
    /** How a script gets the payload; a mapping reads JSON. */
    Input: choice(parseInputs, { required: true, default: 1 }),
    /** Of kind 1. */
    Mapping: json({ schema: Mapping }),
    /** Of kind 2. Stored only if it compiles. */
    Script: long({ max: longestScript }),
    /** A message to try it with, and the topic that it came on. */
    Sample: long({ max: longestSample }),
    Topic: text({ max: 200 }),
    /** Counts the changes of its mapping or script; earlier ones can be restored. */
    Version: number({ integer: true, required: true, set: 'never', default: 1 }),
    /** SHA-256 of its mapping or script, in lower-case hex: the log says which one ran. */
    Hash: text({ max: 64, required: true, set: 'never', default: '' }),
    Remark: long(),
  },
})
export type DataParse = Row<typeof dataParse>

const ofOne = { one: true, button: 'assign' } as const
/** The nearest one reads a message: that of its device, else of its gateway, else of its project. Each of these has at most one. */
export const parseProjects = links(dataParse, project, { path: `${dataParse.path}/Project`, ...ofOne })
export const parseGateways = links(dataParse, gateway, { path: `${dataParse.path}/Gateway`, ...ofOne })
export const parseDevices = links(dataParse, device, { path: `${dataParse.path}/Device`, ...ofOne })

const Text = Type.String()
const Nullable = Type.Union([Id, Type.Null()])
const TestReading = Type.Object({
  ...{ Device: Text, Key: Text, Value: Type.Number() },
  /** Epoch ms; null: the time of arrival. */
  Time: Type.Union([Type.Number(), Type.Null()]),
  /** The point of the gateway that it would be stored at; null where there is none. */
  ParaId: Nullable,
})
const TestFault = Type.Object({
  Reason: Type.Unsafe<(typeof parseFaults)[number]>(Type.Union(parseFaults.map((reason) => Type.Literal(reason)))),
  /** The rule of the mapping, from 1. */
  Rule: Type.Union([Type.Integer(), Type.Null()]),
  Text,
})
const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))))
const Place = Type.Union([Type.Integer(), Type.Null()])
/** What a message becomes. Nothing is stored. */
const Tested = Type.Object({
  Readings: Type.Array(TestReading),
  /** All readings; the list has the first 200. */
  Count: Type.Integer(),
  /** Of all readings, those with a point of the gateway. Null without a gateway. */
  Found: Type.Union([Type.Integer(), Type.Null()]),
  Faults: Type.Array(TestFault),
  Milliseconds: Type.Number(),
  /** Different names without a point of the gateway, the first 100. */
  Missing: Type.Array(Type.Object({ Device: Text, Key: Text })),
  /** Of a script: what ended it, with line and column from 1; what it wrote; its events; the write that it encoded. */
  Fault: Type.Union([Type.Object({ Reason: oneOf(scriptFaults), Text, Line: Place, Column: Place }), Type.Null()]),
  Lines: Type.Array(Text),
  Events: Type.Array(Type.Object({ Text, Level: Type.Integer() })),
  Encoded: Type.Union([Type.Object({ Topic: Text, Payload: Text, IsHex: Type.Integer() }), Type.Null()]),
})
export type Tested = Static<typeof Tested>
export const [listedReadings, listedNames] = [200, 100]

/** Payload: of bytes as hex. */
const Sample = { Payload: Type.String({ maxLength: longestSample }), Topic: Type.Optional(Type.String({ maxLength: 200 })) }
const name = Type.String({ maxLength: 200 })
/** Write: what `encode` of a script makes of it is wanted, not what `parse` makes of the payload. */
const OnGateway = {
  GatewayId: Type.Optional(Id),
  Write: Type.Optional(Type.Object({ Device: name, Key: name, Value: Type.Number({ minimum: -1e300, maximum: 1e300 }) })),
}
const Read = {
  Mapping: Type.Optional(Mapping),
  Script: Type.Optional(Type.String({ maxLength: longestScript })),
  Input: Type.Optional(Type.Unsafe<(typeof parseInputs)[number]>(Type.Union(parseInputs.map((one) => Type.Literal(one))))),
}
/** As much as a message with every letter escaped. */
const sized = { 'x-bytes': 1024 * 1024 }
const Property = Type.Object({ Path: Text, Type: Text, Example: Text, Count: Type.Integer() })

/** A mapping of JSON, or a script that reads text; the other one is null. */
const Template = Type.Object({
  ...{ Name: Text, Title: Text, Sample: Text, Topic: Text },
  ...{ Mapping: Type.Union([Mapping, Type.Null()]), Script: Type.Union([Text, Type.Null()]) },
})
export type Template = Static<typeof Template>
const Version = Type.Object({
  ...{ Version: Type.Integer(), Hash: Text, Kind: Type.Integer(), CreateTime: Text },
  UserName: Type.Union([Text, Type.Null()]),
})
export type ParseVersion = Static<typeof Version>

export const dataParseCalls = {
  /** Ready parsers for usual messages. */
  templates: call({
    ...{ method: 'GET', path: '/Protocol/DataParseTemplate/List', permission },
    ...{ query: AnyObject, answer: Type.Object({ ...page(Template).properties, Items: Type.Array(Template) }) },
  }),
  /** Tries a saved parse. */
  test: call({
    ...{ method: 'POST', path: `${dataParse.path}/Test`, permission: `${permission}.test`, reads: true },
    ...{ body: Type.Object({ Id, ...Sample, ...OnGateway }, sized), answer: Tested },
  }),
  /** Tries a mapping or script that is being written. */
  tryOut: call({
    ...{ method: 'POST', path: '/Protocol/Parse/Test', permission: `${permission}.test`, reads: true },
    ...{ body: Type.Object({ ...Read, ...Sample, ...OnGateway }, sized), answer: Tested },
  }),
  /** The paths of a parse's sample. */
  properties: call({
    ...{ method: 'GET', path: `${dataParse.path}/JsonProperty`, permission },
    ...{ query: ById, answer: Type.Array(Property) },
  }),
  /** Lists the paths of a pasted message. */
  propertiesOf: call({
    ...{ method: 'POST', path: `${dataParse.path}/JsonProperty`, permission, reads: true },
    ...{ body: Type.Object({ Payload: Sample.Payload }, sized), answer: Type.Array(Property) },
  }),
  /** Many, all or none. */
  removeMany: call({
    ...{ method: 'DELETE', path: '/Protocol/BatchDataParse', permission: `${permission}.remove` },
    ...{ query: AnyObject, answer: Removed },
  }),
  versions: call({
    ...{ method: 'GET', path: `${dataParse.path}/VersionList`, permission },
    ...{ query: ById, answer: Type.Array(Version) },
  }),
  /** Makes an earlier mapping the next version. */
  rollback: call({
    ...{ method: 'POST', path: `${dataParse.path}/Rollback`, permission: `${permission}.edit` },
    body: Type.Object({ Id, Version: Type.Integer({ minimum: 1, maximum: 0x7fffffff }) }),
    answer: Type.Unsafe<DataParse>(schemas(dataParse).row),
  }),
  /** The parse that reads the messages of a gateway, or of one of its devices, and what it was assigned to. */
  effective: call({
    ...{ method: 'GET', path: `${dataParse.path}/Effective`, permission },
    query: Type.Object({ GatewayId: Id, DeviceId: Type.Optional(Id) }),
    answer: Type.Object({
      ...{ DataParseId: Nullable, ParseName: Type.Union([Text, Type.Null()]) },
      AssignedTo: Type.Unsafe<'device' | 'gateway' | 'project' | null>({ enum: ['device', 'gateway', 'project', null] }),
    }),
  }),
}

/** A point of a gateway as foreign senders may name it. */
export type NamedPoint = { Id: number; ParaName: string; Address: string; DeviceName: string; IsOwn: boolean }
/** Finds points by the names that a message has: the device's name, and the address or name of the point. */
export const pointFinder = (points: readonly NamedPoint[]) => {
  const found = new Map<string, number>()
  const at = (device: string, key: string) => `${device}\n${key}`
  // Addresses come before names, which come before both of other devices.
  for (const field of ['Address', 'ParaName'] as const)
    for (const point of points) {
      const names = point.IsOwn ? [point.DeviceName, ''] : [point.DeviceName]
      for (const name of names) if (!found.has(at(name, point[field]))) found.set(at(name, point[field]), point.Id)
    }
  return ({ device, key }: Pick<Parsed, 'device' | 'key'>) => found.get(at(device, key))
}
