import { App, Modal } from 'antd'
import type { Shown } from '../../../../console/kernel/api.ts'
import { useWrite } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { type Fault, request } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../projects/contract.ts'
import { productTask, productTaskRow } from '../contract.ts'

type Props = { row: Shown<typeof productTaskRow>; close: () => void }

/** Removes a project that the task created. */
const RemoveProduct = ({ row, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const remove = useWrite(
    [productTask.name, productTaskRow.name, project.name],
    () => request('DELETE', `${productTask.path}/ProductProject/${row.ProjectId}`),
    { meta: { quiet: true } },
  )
  return (
    <Modal
      open
      title={t('product.remove.ask', { name: row.ProjectName })}
      okText={t('product.remove')}
      okButtonProps={{ danger: true }}
      cancelText={t('cancel')}
      confirmLoading={remove.isPending}
      onOk={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            message.success(t('product.removed'))
            close()
          },
        })
      }
      onCancel={close}
    >
      <p>{t('product.remove.text')}</p>
      {remove.error && <Failure fault={remove.error as Fault} />}
    </Modal>
  )
}
export default RemoveProduct
