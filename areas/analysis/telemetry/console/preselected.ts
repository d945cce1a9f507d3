import { mostPreselected } from '../../../../contract/point-rules.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'

/** The points that a chart shows before a person chooses some. */
export const preselected = (all: readonly ParaInfo[]) => all.filter((p) => p.IsChartShow === 2).slice(0, mostPreselected)
