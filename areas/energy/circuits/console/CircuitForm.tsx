import { Skeleton } from 'antd'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { circuitCalls, energyInfo, fromEntries, fromFormula, fromMeter } from '../contract.ts'
import { FormChecks } from './FormChecks.tsx'
import { MeterInput } from './MeterInput.tsx'

export type CircuitRow = Shown<typeof energyInfo>
type Props = {
  project: number
  row?: CircuitRow | undefined
  below?: CircuitRow | undefined
  last: number
  done: (id: number) => void
  close: () => void
}

const inputs = { ParaId: MeterInput }
/** Each source has fields of its own. */
const refine = ({ Source }: Record<string, unknown>) => ({
  hidden: [...(Source === fromMeter ? [] : ['ParaId', 'Multiplier']), ...(Source === fromFormula ? [] : ['Formula']), 'Sort'],
  required: Source === fromFormula ? ['Formula'] : [],
})
const noRefs = { ParentId: 0 }

/** A new circuit has the next free code, and below another one its kind. */
export const CircuitForm = ({ project, row, below, last, done, close }: Props) => {
  const EnergyType = below?.EnergyType ?? 1
  const query = { ...(below ? { ParentId: below.Id } : {}), EnergyType }
  const { data } = useCall(circuitCalls.code, { query, of: [energyInfo.name], enabled: !row })
  if (!row && !data) return <Skeleton active />
  return (
    <ResourceForm
      of={energyInfo}
      {...(row ? { row } : {})}
      fixed={row ? noRefs : { ProjectId: project, Sort: last + 1, ...(below ? { ParentId: below.Id } : {}) }}
      begin={{ EnergyCode: data?.EnergyCode, EnergyType, Source: below?.Source === fromEntries ? fromEntries : fromMeter }}
      refine={refine}
      inputs={inputs}
      below={(values, held) => <FormChecks values={values} row={held} />}
      onSaved={({ Id }) => done(Id)}
      close={close}
    />
  )
}
