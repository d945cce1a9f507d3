export { useChannelForms } from './channelForm.tsx'
