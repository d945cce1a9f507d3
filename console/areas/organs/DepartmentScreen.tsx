import { useSearchParams } from 'react-router'
import { department, departmentCalls } from '../../../contract/areas/departments.ts'
import { organ } from '../../../contract/areas/organs.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { Page } from '../../app/Page.tsx'
import { useRow, useRows } from '../../resource/api.ts'
import { EmptyList } from '../../resource/Empty.tsx'
import { RefInput } from '../../resource/RefInput.tsx'
import { useWords } from '../../words/words.ts'
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
        <TreeScreen
          key={chosen}
          of={department as unknown as Resource}
          parent="ParentId"
          calls={departmentCalls}
          users={departmentCalls.users}
          fixed={{ BelongOrganId: chosen }}
        >
          <span className="search-filter">
            <RefInput
              to={organ as unknown as Resource}
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
