import { CopyOutlined, SearchOutlined } from '@ant-design/icons'
import { App, Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { CardList } from '../../../../console/kernel/CardList.tsx'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type LibraryModel, modelCalls, modelPara, proModel } from '../contract.ts'

const size = 10

/** The platform's models. People copy one into their company. */
const LibraryDialog = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayCopy = useMay('m10110.add')
  const [asked, ask] = useState({ Search: '', PageIndex: 1 })
  const { data, error, isPending, refetch } = useCall(modelCalls.library, { query: { ...asked, PageSize: size }, of: [proModel.name] })
  const copy = useCommand(modelCalls.copy, [proModel.name, modelPara.name])
  const take = (row: LibraryModel) =>
    copy.mutate(
      { body: { Ids: [row.Id], ...(tenant === undefined ? {} : { EnterpriseId: tenant }) } },
      {
        onSuccess: () => message.success(t('model.libraryCopied', { name: row.ModelName })),
      },
    )
  const lines = (row: LibraryModel) =>
    [
      { key: 'no', label: t('proModel.ModelNo'), content: row.ModelNo },
      {
        key: 'protocol',
        label: t('proModel.Protocol'),
        content: t(`proModel.Protocol.${row.Protocol}`),
      },
      { key: 'points', label: t('model.points'), content: row.Points },
      { key: 'version', label: t('proModel.Version'), content: row.Version },
      { key: 'remark', label: t('proModel.Remark'), content: row.Remark },
    ].filter(({ content }) => content !== null)
  return (
    <Modal open width={760} title={t('model.library')} onCancel={close} footer={<Button onClick={close}>{t('close')}</Button>}>
      <div className="stack">
        <p className="quiet">{t('model.libraryText')}</p>
        <Input
          prefix={<SearchOutlined />}
          allowClear
          maxLength={50}
          aria-label={t('model.librarySearch')}
          placeholder={t('model.librarySearch')}
          onChange={({ target }) => ask({ Search: target.value, PageIndex: 1 })}
        />
        {error && !data ? (
          <Failure fault={error} retry={() => refetch()} />
        ) : (
          <CardList<LibraryModel>
            rows={data?.Items}
            loading={isPending}
            title={(row) => row.ModelName}
            lines={lines}
            actions={(row) =>
              mayCopy && (
                <Button
                  icon={<CopyOutlined />}
                  loading={copy.isPending && copy.variables?.body?.Ids[0] === row.Id}
                  onClick={() => take(row)}
                  aria-label={`${t('model.copy')}: ${row.ModelName}`}
                >
                  {t('model.copy')}
                </Button>
              )
            }
            empty={<EmptyList text={t('model.libraryEmpty')} />}
            pagination={{
              ...{ current: asked.PageIndex, pageSize: size, total: data?.TotalCount ?? 0, hideOnSinglePage: (data?.TotalPages ?? 0) <= 1 },
              ...{ showSizeChanger: false, onChange: (PageIndex) => ask({ ...asked, PageIndex }) },
            }}
          />
        )}
      </div>
    </Modal>
  )
}
export default LibraryDialog
