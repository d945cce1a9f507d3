import { post } from '../../../contract/areas/posts.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useTenant } from '../../session/useTenant.ts'
import { useWords } from '../../words/words.ts'
import { TenantSelect } from '../enterprises/TenantSelect.tsx'

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
