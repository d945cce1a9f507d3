import { daysOf, lengthOf } from '../../../../console/chart/calendarSpans.ts'
import { useRows } from '../../../../console/kernel/api.ts'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { dayText } from '../../../../console/words/formats.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { mostDays } from '../contract.ts'

/** What figures of dosing depend on. */
export const sources = ['drugInfo', 'drugInfoData', 'drugDelivery', 'mtnComponent', 'mtnComponentRecord', 'point']
/** Readings come in while somebody looks. */
export const freshMs = 60_000

/** What every screen of dosing begins with, all of it in the address: project, chemical and period. */
export const useDosing = () => {
  const [address, put] = useAddress()
  const today = dayText(Date.now())
  const asked = address.get('of') ?? today.slice(0, 7)
  const days = daysOf(asked)
  const of = days && lengthOf(days) <= mostDays ? asked : today.slice(0, 7)
  const { from, to } = daysOf(of)!
  // Users with access to several companies start with one project. Users who cannot list projects get all their chemicals.
  const projects = useRows(project, { PageIndex: 1, PageSize: 1 })
  return {
    ...{ address, put, today, of, set: (next: string) => put({ of: next }) },
    days: { from, to: to > today && from <= today ? today : to },
    projectId: Number(address.get('ProjectId')) || projects.data?.Items[0]?.Id,
    isReady: !projects.isPending,
    hasProjects: (projects.data?.TotalCount ?? 0) > 1,
  }
}
export type Dosing = ReturnType<typeof useDosing>
