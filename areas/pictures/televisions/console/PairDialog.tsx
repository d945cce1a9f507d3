import { Alert, App, Button, Form, Input, Modal, Switch } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useOwner } from '../../../../console/session/useTenant.ts'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type PlaylistEntry, television, televisionCalls } from '../contract.ts'
import { PlaylistInput } from './PlaylistInput.tsx'

export const televisionAddress = () => `${location.origin}/drag`
const quiet = { meta: { quiet: true } }

type NewProps = {
  name: string
  setName: (name: string) => void
  place: number | null
  setPlace: (place: number | null) => void
  playlist: PlaylistEntry[]
  setPlaylist: (playlist: PlaylistEntry[]) => void
  showsAlarms: boolean
  showAlarms: (on: boolean) => void
}
const NewTelevision = ({ name, setName, place, setPlace, playlist, setPlaylist, showsAlarms, showAlarms }: NewProps) => {
  const t = useWords()
  return (
    <>
      <Form.Item htmlFor="pair-name" label={t('television.TelevisionName')}>
        <Input id="pair-name" value={name} maxLength={60} onChange={({ target }) => setName(target.value)} />
      </Form.Item>
      <Form.Item htmlFor="pair-project" label={t('television.ProjectId')} extra={t('help.television.ProjectId')}>
        <RefInput id="pair-project" to={project} value={place} onChange={setPlace} />
      </Form.Item>
      <Form.Item label={t('television.Playlist')}>
        <PlaylistInput value={playlist} onChange={(next) => setPlaylist(next as PlaylistEntry[])} />
      </Form.Item>
      <Form.Item htmlFor="pair-alarms" label={t('television.ShowAlarms')} extra={t('help.television.ShowAlarms')}>
        <Switch id="pair-alarms" checked={showsAlarms} onChange={showAlarms} />
      </Form.Item>
    </>
  )
}

/** First the code, then the display's owner, name and playlist. */
export const PairDialog = ({ close }: { close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const owner = useOwner(television)
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [place, setPlace] = useState<number | null>(null)
  const [playlist, setPlaylist] = useState<PlaylistEntry[]>([])
  const [showsAlarms, showAlarms] = useState(false)
  const look = useCommand(televisionCalls.look, [], quiet)
  const [former, setFormer] = useState<number | null>(null)
  const mayReplace = useMay(`${television.permission}.edit`)
  const replace = useCommand(televisionCalls.replace, [television.name], quiet)
  const pair = useCommand(televisionCalls.pair, [television.name], quiet)
  const Code = code.replaceAll(/[\s-]/g, '').toUpperCase()
  const fault = (former ? replace.error : pair.error) ?? look.error
  const said = Object.values(fault?.details.Fields ?? {}).flat()
  const isReady = look.data && (former || (name.trim() && playlist.length))
  const onSuccess = ({ TelevisionName }: { TelevisionName: string }) => {
    message.success(t('television.paired', { name: TelevisionName }))
    close()
  }
  const finish = () => {
    if (former) return replace.mutate({ body: { Code, Id: former } }, { onSuccess })
    const own = { TelevisionName: name.trim(), Playlist: playlist, ShowAlarms: showsAlarms ? 1 : 0 } as const
    pair.mutate({ body: { ...owner, Code, ...own, ...(place && { ProjectId: place }) } }, { onSuccess })
  }
  return (
    <Modal
      open
      title={t('television.pair')}
      onCancel={close}
      footer={
        look.data ? (
          <Button type="primary" disabled={!isReady} loading={pair.isPending || replace.isPending} onClick={finish}>
            {t('television.pair')}
          </Button>
        ) : (
          <Button type="primary" disabled={Code.length !== 8} loading={look.isPending} onClick={() => look.mutate({ body: { Code } })}>
            {t('television.next')}
          </Button>
        )
      }
    >
      <Form layout="vertical" requiredMark={false}>
        {fault && <Alert type="error" showIcon title={said[0] ?? fault.message} />}
        <Form.Item htmlFor="pair-code" label={t('television.code')} extra={t('television.pairHow', { address: televisionAddress() })}>
          <Input
            id="pair-code"
            value={code}
            maxLength={12}
            autoFocus
            className="mono"
            disabled={!!look.data}
            onChange={({ target }) => setCode(target.value)}
            onPressEnter={() => Code.length === 8 && look.mutate({ body: { Code } })}
          />
        </Form.Item>
        {look.data && (
          <>
            <Alert
              className="pair-found"
              type="info"
              title={t('television.found', { address: look.data.Address, browser: look.data.Browser })}
            />
            {mayReplace && (
              <Form.Item htmlFor="pair-former" label={t('television.display')} extra={t('television.replaceHelp')}>
                <RefInput id="pair-former" to={television} value={former} placeholder={t('television.new')} onChange={setFormer} />
              </Form.Item>
            )}
            {!former && <NewTelevision {...{ name, setName, place, setPlace, playlist, setPlaylist, showsAlarms, showAlarms }} />}
          </>
        )}
      </Form>
    </Modal>
  )
}
