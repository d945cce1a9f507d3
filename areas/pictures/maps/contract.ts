import { type Static, Type } from 'typebox'
import { AnyObject, call, page } from '../../../contract/call.ts'
import { Id } from '../../../contract/resource.ts'

/** Projects of one map. */
export const mostOnMap = 10_000

const Text = Type.Union([Type.String(), Type.Null()])
const Degrees = Type.Union([Type.Number(), Type.Null()])
const Count = Type.Union([Type.Integer(), Type.Null()])

/** A project as a map shows it. A count is null where the caller may not see what is counted. */
export const MapProject = Type.Object({
  Id,
  ProjectName: Text,
  Address: Text,
  RegionId: Type.Union([Id, Type.Null()]),
  RegionName: Text,
  /** WGS 84. */
  Longitude: Degrees,
  Latitude: Degrees,
  /** 0 without gateways, 1 all online, 2 some of them, 3 none. */
  State: Count,
  Gateways: Count,
  OnlineGateways: Count,
  Devices: Count,
  OnlineDevices: Count,
  ActiveAlarms: Count,
  /** The highest of the active alarms; 0 without one. */
  AlarmLevel: Count,
})
export type MapProject = Static<typeof MapProject>

export const mapCalls = {
  /** The caller's projects that have a position, by name. */
  projects: call({
    method: 'GET',
    path: '/Project/Project/ProInfoFormap',
    permission: 'm10311',
    query: Type.Object({ RegionId: Type.Optional(Id), Search: Type.Optional(Type.String({ maxLength: 100 })) }),
    answer: Type.Object({
      Items: Type.Array(MapProject),
      /** There are more than a map shows. */
      TotalMore: Type.Boolean(),
      /** Projects without a position, which no map shows. */
      Unplaced: Type.Integer(),
    }),
  }),
  /** All of the caller's projects, as a generic list. */
  projectPage: call({
    method: 'GET',
    path: '/Project/Project/ProInfoFormapPage',
    permission: 'm10311',
    query: AnyObject,
    answer: page(MapProject),
  }),
}
