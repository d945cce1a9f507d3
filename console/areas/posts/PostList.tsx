import { post } from '../../../contract/areas/posts.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'

const PostList = () => (
  <Page title={useWords()('menu.m10413')}>
    <ResourceList undo of={post} columns={['PostName', 'PostNo', 'BelongOrganId', 'Status', 'Sort', 'Remark']} />
  </Page>
)
export default PostList
