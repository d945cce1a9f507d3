import { InboxOutlined } from '@ant-design/icons'
import { Alert, App, Descriptions, Form, Input, Upload } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type ModelFile, modelCalls, modelPara, proModel } from '../contract.ts'

const quiet = { meta: { quiet: true } }
const mostBytes = 1024 * 1024

/** Reads the file of a model, shows its content, and adds it under an unused name. */
const ImportDialog = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<{ ModelName: string }>()
  const [file, setFile] = useState<ModelFile>()
  const [isUnreadable, setUnreadable] = useState(false)
  const preview = useCommand(modelCalls.importFile, [], quiet)
  const add = useCommand(modelCalls.importFile, [proModel.name, modelPara.name], quiet)
  const company = tenant === undefined ? {} : { EnterpriseId: tenant }

  const read = async (from: Blob) => {
    setFile(undefined)
    add.reset()
    try {
      if (from.size > mostBytes) throw new Error('too large')
      const File: ModelFile = JSON.parse(await from.text())
      setUnreadable(false)
      preview.mutate(
        { body: { File, Preview: 1, ...company } },
        {
          onSuccess: ({ ModelName }) => {
            setFile(File)
            form.setFieldValue('ModelName', ModelName)
          },
        },
      )
    } catch {
      setUnreadable(true)
    }
  }
  const submit = ({ ModelName }: { ModelName: string }) => {
    if (!file) return void message.info(t('model.importChoose'))
    const done = () => {
      message.success(t('model.imported', { name: ModelName }))
      close()
    }
    add.mutate({ body: { File: file, ModelName, ...company } }, { onSuccess: done })
  }
  const found = file && preview.data
  const { Fields = {} } = preview.error?.details ?? {}
  const reasons = Object.entries(Fields).map(([name, texts]) => `${name}: ${texts.join(' ')}`)
  return (
    <FormDialog<{ ModelName: string }>
      title={t('model.import')}
      okText={t('model.importNow')}
      form={form}
      sending={file ? add : { isPending: preview.isPending, error: null }}
      submit={submit}
      close={close}
    >
      <Form.Item>
        <Upload.Dragger
          accept=".json,application/json"
          showUploadList={false}
          beforeUpload={(from) => {
            void read(from)
            return Upload.LIST_IGNORE
          }}
        >
          <p>
            <InboxOutlined /> {t('model.importChoose')}
          </p>
        </Upload.Dragger>
      </Form.Item>
      <div className="stack" aria-live="polite">
        {isUnreadable && <Alert type="error" showIcon title={t('model.importUnreadable')} />}
        {preview.error && !found && (
          <Alert type="error" showIcon title={preview.error.message} description={reasons.slice(0, 5).join('\n') || undefined} />
        )}
        {found && (
          <Descriptions
            size="small"
            column={1}
            items={[
              { key: 'brand', label: t('proModel.Brand'), children: file.Model.Brand ?? '—' },
              { key: 'points', label: t('model.points'), children: found.Points },
            ]}
          />
        )}
        {found && found.UnknownCodes.length > 0 && (
          <Alert type="warning" showIcon title={t('model.importUnknown', { codes: found.UnknownCodes.slice(0, 20).join(', ') })} />
        )}
      </div>
      {found && (
        <Form.Item
          name="ModelName"
          label={t('proModel.ModelName')}
          rules={[{ required: true, message: t('form.required', { field: t('proModel.ModelName') }) }]}
        >
          <Input maxLength={50} autoComplete="off" />
        </Form.Item>
      )}
    </FormDialog>
  )
}
export default ImportDialog
