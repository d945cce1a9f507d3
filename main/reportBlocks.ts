// Who makes which block of report templates: each area those of its own.
import type { AreaBlocks } from '../areas/analysis/reports/server/service.ts'
import { coldBlocks } from '../areas/cold-storage/figures/server/reportBlocks.ts'
import { dosingBlocks } from '../areas/dosing/consumption/server/service.ts'
import { energyBlocks } from '../areas/energy/consumption/server/service.ts'
import type { Context } from '../server/context.ts'

export const reportBlocks = ({ telemetry }: Pick<Context, 'telemetry'>): AreaBlocks => ({
  ...energyBlocks({ telemetry }),
  ...dosingBlocks({ telemetry }),
  ...coldBlocks({ telemetry }),
})
