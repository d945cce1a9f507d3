export { LineSettings, useChannelForms } from './channelForm.tsx'
