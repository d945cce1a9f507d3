import { useSearchParams } from 'react-router'
import { useRow, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { department, departmentCalls } from '../../departments/contract.ts'
import { organ } from '../contract.ts'
import { TreeScreen } from './TreeScreen.tsx'

/** The departments of one organisation, the first until another is chosen. */
const DepartmentScreen = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const { data } = useRows(organ, { PageIndex: 1, PageSize: 1 })
  const id = Number(params.get('node')) || undefined
  const asked = Number(params.get('BelongOrganId')) || undefined
  const linked = useRow(department, asked ? undefined : id)
  const chosen = asked ?? linked.data?.BelongOrganId ?? (id && linked.isPending ? undefined : data?.Items[0]?.Id)
  return (
    <Page title={t('menu.m10412')}>
      {data && !data.Items.length && <EmptyList text={t('tree.organFirst')} />}
      {chosen && (
        <TreeScreen key={chosen} of={department} users={departmentCalls.users} fixed={{ BelongOrganId: chosen }}>
          <span className="search-filter">
            <RefInput
              to={organ}
              value={chosen}
              allowClear={false}
              aria-label={t('department.BelongOrganId')}
              onChange={(next) => setParams({ BelongOrganId: String(next) }, { replace: true })}
            />
          </span>
        </TreeScreen>
      )}
    </Page>
  )
}
export default DepartmentScreen
