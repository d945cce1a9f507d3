import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { modelCalls, proModel } from '../contract.ts'

/** The published version, and the devices that have an older one. All cells share one call. */
const PublishedVersion = ({ row }: { row: { Id: number; Version: number } }) => {
  const t = useWords()
  const maySee = useMay(device.permission)
  const { data } = useCall(modelCalls.behind, { of: [proModel.name, device.name], enabled: maySee })
  const count = data?.Items.find(({ ModelId }) => ModelId === row.Id)?.Count
  return (
    <>
      {row.Version}
      {count !== undefined && (
        <>
          {' · '}
          <Link to={`/projectManagement/deviceManagement?ModelId=${row.Id}&IsBehind=1`}>{t('model.behind', { count })}</Link>
        </>
      )}
    </>
  )
}

export const cells: ListProps<typeof proModel>['cells'] = { Version: (row) => <PublishedVersion row={row} /> }
