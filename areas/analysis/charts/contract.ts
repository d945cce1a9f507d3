import { choice, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** Words at `savedChart.Kind.<name>`. */
export const chartKinds = ['bars', 'stacked', 'pareto', 'pie', 'histogram', 'duration', 'box', 'heat', 'calendar'] as const
export type ChartKind = (typeof chartKinds)[number]
/** What one bar, box or layer is of. Words at `savedChart.Unit.<name>`. */
export const chartUnits = ['day', 'hour', 'shift', 'week', 'month'] as const
export type ChartUnit = (typeof chartUnits)[number]
export const chartSpans = ['24h', '7d', '30d', '90d', '1y'] as const

/** Kinds that divide the time, by a unit that people choose. */
export const isDivided = (kind: ChartKind) => ['bars', 'stacked', 'box'].includes(kind)

/** A chart under a name: the points of a group, how they are drawn, and over which time until now. */
export const savedChart = resource('savedChart', {
  path: '/DataCenter/Chart',
  permission: 'm10320',
  readBy: 'm10319',
  title: 'ChartName',
  order: 'ChartName',
  columns: ['ChartName', 'GroupId', 'Kind', 'Unit', 'Span'],
  fields: {
    ChartName: text({ required: true, unique: true, search: true, max: 50 }),
    GroupId: ref('reportGroup', { required: true, search: true, as: 'GroupName' }),
    Kind: choice(chartKinds, { required: true, default: 'bars', search: true }),
    Unit: choice(chartUnits, { required: true, default: 'day' }),
    Span: choice(chartSpans, { required: true, default: '7d' }),
  },
})
