import { UploadOutlined } from '@ant-design/icons'
import { App, Button, Form, Input, Upload } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { flowchart } from '../contract.ts'
import { type PictureFile, pictureFileCalls } from '../picture-file.ts'
import { readPicture } from './out/pictureFile.ts'

type Values = { ProjectId?: number; FlowchartName?: string }
/** Creates a picture from an exported file of this or another company. */
const FileDialog = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message, notification } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [file, setFile] = useState<PictureFile>()
  const [isMissing, setMissing] = useState(false)
  const sending = useCommand(pictureFileCalls.fromFile, [flowchart.name, 'pictureSymbol'], { meta: { quiet: true } })
  const submit = ({ ProjectId, FlowchartName }: Values) => {
    if (!file) return setMissing(true)
    if (!ProjectId) return undefined
    const name = FlowchartName?.trim()
    return sending.mutate(
      { body: { ProjectId, File: file, ...(name ? { FlowchartName: name } : {}) } },
      {
        onSuccess: (made) => {
          message.success(t('pictures.file.made', { name: made.FlowchartName }))
          const names = made.Open.slice(0, 10).join(', ')
          if (names) notification.warning({ title: t('pictures.file.open', { names }), duration: 0 })
          close()
        },
      },
    )
  }
  const read = async (given: File) => {
    const found = readPicture(await given.text())
    if (!found) return message.error(t('pictures.file.none'))
    setFile(found)
    setMissing(false)
    form.setFieldsValue({ FlowchartName: found.FlowchartName })
    return undefined
  }
  return (
    <FormDialog<Values>
      title={t('pictures.file.title')}
      form={form}
      sending={{ isPending: sending.isPending, error: sending.error }}
      submit={submit}
      close={close}
      okText={t('pictures.file.make')}
    >
      <p className="soft form-summary">{t('pictures.file.text')}</p>
      <Form.Item
        required
        label={t('pictures.file.choose')}
        {...(isMissing ? { validateStatus: 'error', help: t('pictures.file.needed') } : {})}
      >
        <Upload
          accept=".json,application/json"
          showUploadList={false}
          beforeUpload={(given) => {
            void read(given)
            return Upload.LIST_IGNORE
          }}
        >
          <Button icon={<UploadOutlined />}>{file ? file.FlowchartName : t('pictures.file.choose')}</Button>
        </Upload>
        {file && file.Left > 0 && <p className="soft">{t('pictures.file.left', { count: file.Left })}</p>}
      </Form.Item>
      <Form.Item name="ProjectId" label={t('flowchart.ProjectId')} rules={[{ required: true }]}>
        <RefInput to={project} where={{ EnterpriseId: tenant }} />
      </Form.Item>
      <Form.Item name="FlowchartName" label={t('flowchart.FlowchartName')}>
        <Input maxLength={25} />
      </Form.Item>
    </FormDialog>
  )
}
export default FileDialog
