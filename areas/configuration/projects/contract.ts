import { type TString, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, valueSchema } from '../../../contract/resource.ts'
import { asTask } from '../tasks/contract.ts'

export const project = resource('project', {
  path: '/Project/Project',
  aliases: ['/V3/Project/Project'],
  permission: 'm10101',
  title: 'ProjectName',
  owner: 'grant',
  order: 'ProjectName',
  sheets: 'in-out',
  checks: { ProjectName: 'CheckProjectName' },
  fields: {
    ProjectName: text({ required: true, unique: true, search: true }),
    ProjectNo: text({ max: 30, search: true }),
    Address: text({ max: 100 }),
    Longitude: number({ min: -180, max: 180, unit: '°' }),
    Latitude: number({ min: -90, max: 90, unit: '°' }),
    BelongOrganId: ref('organ', { as: 'OrganName' }),
    /** City or district of the project. */
    RegionId: ref('region'),
    Remark: long(),
  },
})

/** Maximum gateways that one call copies, and that a task copies. */
export const [mostCopied, mostCopiedByTask] = [100, 1000]
const Count = Type.Integer()
const path = '/Project/Project/QProjectCopyGatewayAndDevices'

export const projectCalls = {
  /** The contents of a copy. Writes nothing. */
  copyPlan: call({
    method: 'GET',
    path,
    permission: 'm10101.add',
    query: Type.Object({ ProjectId: Id }),
    answer: Type.Object({
      /** An unused name. */
      ProjectName: Type.String(),
      /** The first thousand. Each needs a serial number for its copy. */
      Gateways: Type.Array(
        Type.Object({ Id, GatewayName: Type.String(), SN: Type.Union([Type.String(), Type.Null()]), Devices: Count, Points: Count }),
      ),
      Channels: Count,
      Devices: Count,
      Points: Count,
      /** Number of pictures that are copied, as drafts. */
      Pictures: Count,
      /** Alarm rules of the project: the first thousand. */
      Rules: Type.Array(Type.Object({ Id, RuleName: Type.String() })),
      /** Whether the rules are copied, disabled: requires that the caller may add rules. */
      CopiesRules: Type.Boolean(),
    }),
  }),
  /**
   * Copies a project with channels, devices and points of the given gateways, its pictures and its alarm rules, all or none. As a task,
   * it adds the project first, then each gateway in its own transaction, and last pictures and rules, which need all points.
   */
  copy: call({
    method: 'POST',
    path,
    permission: 'm10101.add',
    body: Type.Object({
      ProjectId: Id,
      ProjectName: valueSchema(project.fields.ProjectName) as TString,
      Gateways: Type.Array(Type.Object({ Id, SN: Type.String({ pattern: '^[0-9A-Z]{8,32}$' }) }), {
        maxItems: mostCopiedByTask,
      }),
      ...asTask,
    }),
    /** For a task: the new project, the task, and the number of gateways to copy. */
    answer: Type.Object({
      ...{ Id, Gateways: Count, TaskId: Type.Optional(Id) },
      ...{ Channels: Type.Optional(Count), Devices: Type.Optional(Count), Points: Type.Optional(Count) },
      Pictures: Type.Optional(Count),
      /** Picture references to points that the copy lacks: the first hundred. */
      Unbound: Type.Optional(Type.Array(Type.Object({ FlowchartName: Type.String(), Name: Type.String() }))),
      /** Number of copied alarm rules; they are disabled. */
      Rules: Type.Optional(Count),
      /** Rules that were not copied, with the points that the copy lacks. No points: the caller may not add such a rule. */
      RulesLeft: Type.Optional(Type.Array(Type.Object({ RuleName: Type.String(), Lacks: Type.Array(Type.String()) }))),
    }),
  }),
}
