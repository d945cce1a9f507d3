import { Navigate, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { flowchartCalls } from '../contract.ts'
import { pictureAddress } from './acting.ts'

/** Link to the picture of a device, or of its model. */
const OfDevice = () => {
  const t = useWords()
  const id = Number(useSearchParams()[0].get('Device'))
  const { data, error, refetch } = useCall(flowchartCalls.ofDevice, {
    query: { DeviceId: id },
    of: ['flowchart', 'device'],
    enabled: id > 0,
  })
  if (!(id > 0)) return <EmptyList text={t('edit.chooseDevice')} />
  if (error) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return null
  if (!data.Picture) return <EmptyList text={t('pictures.noneOfDevice', { name: data.DeviceName })} />
  const { Id, Parameter } = data.Picture
  return <Navigate replace to={pictureAddress(Id, Parameter === null ? {} : { [Parameter]: id })} />
}
export default OfDevice
