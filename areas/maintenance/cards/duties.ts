// Shift assignments. The shifts themselves are defined in the project's shift plan.
import { number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

const of = ['UserId', 'TeamId', 'DepartmentId'] as const
/** Assigns a person, a team or a department to a shift of a project, with the grace period and place that punches are checked against. */
export const mtnShiftDuty = resource('mtnShiftDuty', {
  path: '/Maintenance/MtnShiftDuty',
  permission: 'm10621',
  title: 'ShiftName',
  owner: 'ProjectId',
  order: 'ShiftName',
  sheets: 'out',
  rules: [{ name: 'oneAssignee', of: [...of], isBroken: (given) => of.filter((name) => given[name]).length > 1 }],
  columns: ['ShiftName', 'ProjectId', 'UserId', 'TeamId', 'DepartmentId', 'GraceMin', 'RadiusM'],
  fields: {
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    /** Name of a shift in the project's plan. */
    ShiftName: text({ required: true, max: 40, search: true }),
    UserId: ref('user', { search: true }),
    /** The assignees: members of a roster, and users of a department. */
    TeamId: ref('alarmRoster'),
    DepartmentId: ref('department'),
    GraceMin: number({ required: true, integer: true, min: 0, max: 240, default: 5, unit: 'min' }),
    Longitude: number({ min: -180, max: 180, unit: '°', section: 'dutyPlace' }),
    Latitude: number({ min: -90, max: 90, unit: '°', section: 'dutyPlace' }),
    RadiusM: number({ required: true, integer: true, min: 10, max: 100_000, default: 200, unit: 'm', section: 'dutyPlace' }),
  },
})
