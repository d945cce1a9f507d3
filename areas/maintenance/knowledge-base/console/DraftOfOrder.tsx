import { BulbOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { knowledgeCalls, mtnKnowledgeBase } from '../contract.ts'

/** Drafts an article from a completed order, and opens it. */
export const DraftOfOrder = ({ id }: { id: number }) => {
  const t = useWords()
  const go = useGo()
  const draft = useCommand(knowledgeCalls.fromOrder, [mtnKnowledgeBase.name])
  const open = () => draft.mutate({ body: { OrderId: id } }, { onSuccess: ({ Id }) => go(`/maintenanceCenter/knowledgeBase?Id=${Id}`) })
  if (!useMay('m10610.add')) return null
  return (
    <Button icon={<BulbOutlined />} loading={draft.isPending} onClick={open}>
      {t('article.fromOrder')}
    </Button>
  )
}
