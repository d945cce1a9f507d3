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
/** Maximum characters of a sample, and of a message to test. */
export const longestSample = 65_536

/** 1 mapping, 2 script. */
export const parseKinds = [1, 2] as const
/** 1 JSON, 2 text, 3 bytes. */
export const parseInputs = [1, 2, 3] as const

/** A parser: converts messages of external senders to readings. */
export const dataParse = resource('dataParse', {
  path: '/Protocol/DataParse',
  permission,
  title: 'ParseName',
  order: 'ParseName',
  differs: { unsettable: 'The server hashes the mapping or script.' },
  fields: {
    ParseName: text({ required: true, unique: true, search: true }),
    Kind: choice(parseKinds, { required: true, search: true, default: 1 }),
    /** Form in which a script gets the payload; a mapping reads JSON. */
    Input: choice(parseInputs, { required: true, default: 1 }),
    /** For kind 1. */
    Mapping: json({ schema: Mapping }),
    /** For kind 2. Stored only if it compiles. */
    Script: long({ max: longestScript }),
    /** Sample message, and its topic. */
    Sample: long({ max: longestSample }),
    Topic: text({ max: 200 }),
    /** Counts the changes of its mapping or script; earlier ones can be restored. */
    Version: number({ integer: true, required: true, set: 'never', default: 1 }),
    /** SHA-256 of its mapping or script, in lower-case hex; log entries refer to it. */
    Hash: text({ max: 64, required: true, set: 'never', default: '' }),
    Remark: long(),
  },
})
export type DataParse = Row<typeof dataParse>

const ofOne = { one: true, button: 'assign' } as const
/** The nearest parser reads a message: that of the device, then of the gateway, then of the project. Each has at most one. */
export const parseProjects = links(dataParse, project, { path: `${dataParse.path}/Project`, ...ofOne })
export const parseGateways = links(dataParse, gateway, { path: `${dataParse.path}/Gateway`, ...ofOne })
export const parseDevices = links(dataParse, device, { path: `${dataParse.path}/Device`, ...ofOne })

const Text = Type.String()
const Nullable = Type.Union([Id, Type.Null()])
const TestReading = Type.Object({
  ...{ Device: Text, Key: Text, Value: Type.Number() },
  /** Epoch ms; null: the time of arrival. */
  Time: Type.Union([Type.Number(), Type.Null()]),
  /** The matching point of the gateway; null without one. */
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
/** Result of parsing a message. Nothing is stored. */
const Tested = Type.Object({
  Readings: Type.Array(TestReading),
  /** Number of all readings; the list contains the first 200. */
  Count: Type.Integer(),
  /** Number of readings with a point of the gateway. Null without a gateway. */
  Found: Type.Union([Type.Integer(), Type.Null()]),
  Faults: Type.Array(TestFault),
  Milliseconds: Type.Number(),
  /** Distinct names without a point of the gateway, the first 100. */
  Missing: Type.Array(Type.Object({ Device: Text, Key: Text })),
  /** For a script: the error with line and column from 1, log lines, events, and the encoded write. */
  Fault: Type.Union([Type.Object({ Reason: oneOf(scriptFaults), Text, Line: Place, Column: Place }), Type.Null()]),
  Lines: Type.Array(Text),
  Events: Type.Array(Type.Object({ Text, Level: Type.Integer() })),
  Encoded: Type.Union([Type.Object({ Topic: Text, Payload: Text, IsHex: Type.Integer() }), Type.Null()]),
})
export type Tested = Static<typeof Tested>
export const [listedReadings, listedNames] = [200, 100]

/** Payload: bytes in hex. */
const Sample = { Payload: Type.String({ maxLength: longestSample }), Topic: Type.Optional(Type.String({ maxLength: 200 })) }
const name = Type.String({ maxLength: 200 })
/** Write: tests `encode` of the script instead of `parse`. */
const OnGateway = {
  GatewayId: Type.Optional(Id),
  Write: Type.Optional(Type.Object({ Device: name, Key: name, Value: Type.Number({ minimum: -1e300, maximum: 1e300 }) })),
}
const Read = {
  Mapping: Type.Optional(Mapping),
  Script: Type.Optional(Type.String({ maxLength: longestScript })),
  Input: Type.Optional(Type.Unsafe<(typeof parseInputs)[number]>(Type.Union(parseInputs.map((one) => Type.Literal(one))))),
}
/** Size of a message with every character escaped. */
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
  /** Templates for common message formats. */
  templates: call({
    ...{ method: 'GET', path: '/Protocol/DataParseTemplate/List', permission },
    ...{ query: AnyObject, answer: Type.Object({ ...page(Template).properties, Items: Type.Array(Template) }) },
  }),
  /** Tests a saved parser. */
  test: call({
    ...{ method: 'POST', path: `${dataParse.path}/Test`, permission: `${permission}.test`, reads: true },
    ...{ body: Type.Object({ Id, ...Sample, ...OnGateway }, sized), answer: Tested },
  }),
  /** Tests a mapping or script before it is saved. */
  tryOut: call({
    ...{ method: 'POST', path: '/Protocol/Parse/Test', permission: `${permission}.test`, reads: true },
    ...{ body: Type.Object({ ...Read, ...Sample, ...OnGateway }, sized), answer: Tested },
  }),
  /** The paths of a parser's sample. */
  properties: call({
    ...{ method: 'GET', path: `${dataParse.path}/JsonProperty`, permission },
    ...{ query: ById, answer: Type.Array(Property) },
  }),
  /** Lists the paths of a pasted message. */
  propertiesOf: call({
    ...{ method: 'POST', path: `${dataParse.path}/JsonProperty`, permission, reads: true },
    ...{ body: Type.Object({ Payload: Sample.Payload }, sized), answer: Type.Array(Property) },
  }),
  /** Removes many, all or none. */
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
  /** The parser in effect for a gateway or one of its devices, and its assignment. */
  effective: call({
    ...{ method: 'GET', path: `${dataParse.path}/Effective`, permission },
    query: Type.Object({ GatewayId: Id, DeviceId: Type.Optional(Id) }),
    answer: Type.Object({
      ...{ DataParseId: Nullable, ParseName: Type.Union([Text, Type.Null()]) },
      AssignedTo: Type.Unsafe<'device' | 'gateway' | 'project' | null>({ enum: ['device', 'gateway', 'project', null] }),
    }),
  }),
}

/** A point of a gateway with the names that external senders may use. */
export type NamedPoint = { Id: number; ParaName: string; Address: string; DeviceName: string; IsOwn: boolean }
/** Finds points by the names in a message: the device's name, and the address or name of the point. */
export const pointFinder = (points: readonly NamedPoint[]) => {
  const found = new Map<string, number>()
  const at = (device: string, key: string) => `${device}\n${key}`
  // Precedence: own device before other devices, addresses before names.
  for (const field of ['Address', 'ParaName'] as const)
    for (const point of points) {
      const names = point.IsOwn ? [point.DeviceName, ''] : [point.DeviceName]
      for (const name of names) if (!found.has(at(name, point[field]))) found.set(at(name, point[field]), point.Id)
    }
  return ({ device, key }: Pick<Parsed, 'device' | 'key'>) => found.get(at(device, key))
}
