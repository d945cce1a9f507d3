import type { ComponentProps } from 'react'
import type { DetailLooks, PlainOptions } from '../../../../console/kernel/plainScreens.ts'
import { numberText } from '../../../../console/words/formats.ts'
import { language } from '../../../../console/words/words.ts'
import { MeterInput } from '../../../energy/circuits/console/MeterInput.tsx'
import { type drugInfo, entered, fromPoint, fromStroke, fromTank } from '../contract.ts'

/** Each source has fields of its own. */
export const refine = ({ Source = entered, Unit }: Record<string, unknown>) => ({
  hidden: [
    ...(Source === fromPoint || Source === fromStroke ? [] : ['ParaId']),
    ...(Source === fromPoint ? [] : ['Multiplier']),
    ...(Source === fromStroke ? [] : ['RunParaId', 'PumpRate']),
    'Sort',
  ],
  required: [
    ...(Source === fromStroke ? ['ParaId', 'PumpRate'] : []),
    ...(Source === fromPoint ? ['ParaId'] : []),
    ...(Source === fromTank ? ['TankParaId'] : []),
    ...(Unit === 'L' ? ['Density'] : []),
  ],
})

const AnyPointInput = (props: ComponentProps<typeof MeterInput>) => <MeterInput {...props} any />
export const inputs = {
  ...{ ParaId: AnyPointInput, RunParaId: AnyPointInput, WaterParaId: MeterInput, TankParaId: AnyPointInput },
  ...{ FlowParaId: AnyPointInput, TurbidityParaId: AnyPointInput, ResidualParaId: AnyPointInput },
}
const cells = {
  StockQty: ({ StockQty, Unit }: { StockQty: number; Unit: string }) => (
    <span className="figures">{`${numberText(StockQty, 1, language())} ${Unit}`}</span>
  ),
}
export const chemicalLooks: PlainOptions<typeof drugInfo> = { cells }
export const pageLooks: DetailLooks<typeof drugInfo> = { cells }
