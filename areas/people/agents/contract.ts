import { Type } from 'typebox'
import { AnyObject, call, page, paging, Removed } from '../../../contract/call.ts'
import { choice, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { gateway } from '../../configuration/gateways/contract.ts'

const base = '/V3/System/CrossRegionSale'
/** Six digits of GB/T 2260: province, city, county; larger areas end in zeros. */
const AreaCode = Type.String({ pattern: '^[1-8]\\d{5}$' })
const AreaCodes = Type.Array(AreaCode, { maxItems: 3000 })
const serial = { max: 32, pattern: '^[0-9A-Z]{8,32}$' } as const

/** A sales agent with assigned regions. */
export const agent = resource('agent', {
  path: `${base}/Agent`,
  permission: 'm10434',
  title: 'AgentName',
  order: 'AgentName',
  fields: {
    AgentName: text({ required: true, unique: true, search: true }),
    AgentNo: text({ max: 30, unique: true, search: true }),
    Level: choice([1, 2, 3], { required: true, default: 1, search: true }),
    ParentAgentId: ref('agent', { as: 'ParentAgentName' }),
    Contact: text(),
    Phone: text({ max: 30 }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    Remark: long(),
  },
})

/** A gateway shipped to an agent, with its allowed regions and last position. */
export const snAgent = resource('snAgent', {
  path: `${base}/SN_Agent_Region`,
  /** Its other calls, SN_AgentList and SN_Agent_Detail, begin with this path. */
  aliases: [`${base}/SN_Agent`],
  permission: 'm12005',
  title: 'SN',
  order: '-OutTime',
  differs: { create: 'One call ships many gateways.' },
  fields: {
    SN: text({ required: true, unique: true, search: true, set: 'never', ...serial }),
    AgentId: ref('agent', { set: 'never' }),
    /** Allowed regions; empty: all regions of the agent. */
    AreaCodes: json({ set: 'never' }),
    OutNo: text({ max: 40, set: 'never', search: true }),
    OutTime: instant({ required: true }),
    /** 0 inside its regions, 1 seen outside once, 2 confirmed, 3 released by a person. */
    CrossStatus: choice([0, 1, 2, 3], { required: true, set: 'never', default: 0, search: true }),
    /** Area of the last position. */
    AreaCode: text({ max: 6, set: 'never', search: true }),
    PositionTime: instant(),
  },
})

/** History of a serial number, in order. */
export const snAgentLog = resource('snAgentLog', {
  path: `${base}/SN_Agent_OPLog`,
  permission: 'm12003',
  title: 'SN',
  order: '-Id',
  fields: {
    SN: text({ required: true, search: true, set: 'never', ...serial }),
    /** 1 outbound, 2 return, 3 transfer, 4 region change, 5 activate, 6 diversion, 7 release, 8 bound, 9 unbound. */
    OpType: choice([1, 2, 3, 4, 5, 6, 7, 8, 9], { required: true, set: 'never', search: true }),
    AgentId: ref('agent', { set: 'never' }),
    FromText: text({ max: 200, set: 'never' }),
    ToText: text({ max: 200, set: 'never' }),
    UserId: ref('user', { set: 'never' }),
    OpTime: instant({ required: true }),
  },
})

/** 1 GPS, 2 base station, 3 IP, 4 entered by a person. */
export const positionSources = [1, 2, 3, 4] as const
export const gatewayPosition = resource('gatewayPosition', {
  path: `${base}/SN_Position`,
  permission: 'm12001',
  title: 'SN',
  order: '-Id',
  differs: { create: 'Its area is found by its coordinates where it names none.' },
  fields: {
    SN: text({ required: true, search: true, ...serial }),
    PositionTime: instant({ required: true }),
    Source: choice(positionSources, { required: true, default: 4 }),
    /** If omitted, the map service derives it from the coordinates. */
    AreaCode: text({ max: 6, pattern: '^[1-8]\\d{5}$', search: true }),
    Lng: number({ min: -180, max: 180, unit: '°' }),
    Lat: number({ min: -90, max: 90, unit: '°' }),
    AccuracyM: number({ min: 0, max: 1_000_000, unit: 'm' }),
    Address: text({ max: 200 }),
    /** 1: outside its shipping regions. */
    IsCross: choice([0, 1], { required: true, set: 'never', default: 0, search: true }),
  },
})

/** Position fields in lists of gateways. */
export const positionFields = ['PositionTime', 'Source', 'AreaCode', 'Lng', 'Lat', 'AccuracyM', 'Address'] as const

export type Area = { AreaCode: string; AreaName: string; Children: Area[] }
const AreaNode = Type.Unsafe<Area>({ type: 'object', additionalProperties: true })
const row = schemas(snAgent).row
const SN = Type.String({ pattern: serial.pattern })
const BySN = Type.Object({ SN })
const Exclusive = Type.Union([Type.Literal(0), Type.Literal(1)])
const Region = Type.Object({
  AgentId: Type.Integer(),
  AgentName: Type.String(),
  AreaCode: Type.String(),
  AreaName: Type.String(),
  Exclusive: Type.Integer(),
})
const Maybe = Type.Union([Type.String(), Type.Null()])
const Line = Type.Object({ Time: Type.String(), OpType: Type.Integer(), FromText: Maybe, ToText: Maybe, UserName: Maybe })

export const agentCalls = {
  /** Positions of a gateway, newest first. */
  positionsOfGateway: call({
    method: 'POST',
    path: '/V3/Project/Gateway/GatewayPositionDetailList',
    permission: gateway.permission,
    reads: true,
    body: Type.Object({ GatewayId: Id, ...paging() }),
    answer: page(AnyObject),
  }),
  /** Ships serial numbers to an agent: all, or none with the reason for each. */
  outbound: call({
    method: 'POST',
    path: snAgent.path,
    permission: 'm12004.add',
    body: Type.Object({
      SNs: Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 1000 }),
      AgentId: Id,
      AreaCodes: Type.Optional(AreaCodes),
      OutNo: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
  /** Changes the agent or the regions. `Release`: a person has checked a diversion. */
  change: call({
    method: 'PUT',
    path: snAgent.path,
    permission: 'm12004.edit',
    body: Type.Object({
      SN,
      AgentId: Type.Optional(Id),
      AreaCodes: Type.Optional(AreaCodes),
      Release: Type.Optional(Type.Literal(1)),
    }),
    answer: row,
  }),
  /** Takes a gateway back from the agent; requires the buttons of both ends (ruling 12). */
  takeBack: call({
    method: 'DELETE',
    path: snAgent.path,
    permission: 'm12004.remove',
    body: Type.Object({ SN, AgentId: Type.Optional(Id) }),
    answer: Removed,
  }),
  detail: call({
    method: 'POST',
    path: `${base}/SN_Agent_Detail`,
    permission: snAgent.permission,
    reads: true,
    body: BySN,
    answer: Type.Object({
      ...row.properties,
      Lines: Type.Array(Line),
      Positions: Type.Array(
        Type.Object({
          PositionTime: Type.String(),
          Source: Type.Integer(),
          AreaCode: Type.String(),
          AreaName: Type.String(),
          IsCross: Type.Integer(),
        }),
      ),
    }),
  }),
  regions: call({
    method: 'POST',
    path: `${base}/AgentRegionList`,
    // The map of regions, also for people who do not manage agents.
    permission: 'm12002',
    reads: true,
    body: Type.Object({ AgentId: Type.Optional(Id) }),
    answer: Type.Array(Region),
  }),
  /** Sets exactly these regions. An exclusive region has no other agent. */
  setRegions: call({
    method: 'PUT',
    path: `${base}/SetAgentRegions`,
    permission: `${agent.permission}.edit`,
    body: Type.Object({ AgentId: Id, AreaCodes, Exclusive: Type.Optional(Exclusive) }),
    answer: Type.Array(Region),
  }),
  areas: call({
    method: 'GET',
    path: '/V3/System/Area/AreasForTree',
    permission: 'session',
    /** 1 provinces, 2 also cities, 3 also counties. */
    query: Type.Object({ type: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })) }),
    answer: Type.Array(AreaNode),
  }),
  /** Last positions of gateways, counted by province, for the map. */
  positions: call({
    method: 'GET',
    path: `${base}/SN_PositionMap`,
    permission: gatewayPosition.permission,
    answer: Type.Array(Type.Object({ AreaCode: Type.String(), AreaName: Type.String(), Count: Type.Integer(), Outside: Type.Integer() })),
  }),
}
