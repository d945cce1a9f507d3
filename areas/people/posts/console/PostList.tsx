import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../enterprises/console/TenantSelect.tsx'
import { post } from '../contract.ts'

const PostList = () => {
  const tenant = useTenant()
  return (
    <Page title={useWords()('menu.m10413')}>
      <ResourceList
        undo
        of={post}
        columns={['PostName', 'PostNo', 'BelongOrganId', 'Status', 'Sort', 'Remark']}
        extra={<TenantSelect />}
        fixed={tenant}
      />
    </Page>
  )
}
export default PostList
