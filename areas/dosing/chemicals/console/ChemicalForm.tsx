import { Skeleton } from 'antd'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { drugCalls, drugInfo } from '../contract.ts'
import { inputs, refine } from './chemicalLooks.tsx'

type Props = { row: Shown<typeof drugInfo> | undefined; close: () => void }
/** A new chemical begins with the next free code. */
const ChemicalForm = ({ row, close }: Props) => {
  const { data } = useCall(drugCalls.code, { of: [drugInfo.name], enabled: !row })
  if (!row && !data) return <Skeleton active />
  return (
    <ResourceForm
      of={drugInfo}
      {...(row ? { row } : {})}
      begin={{ DrugCode: data?.DrugCode }}
      refine={refine}
      inputs={inputs}
      close={close}
    />
  )
}
export default ChemicalForm
