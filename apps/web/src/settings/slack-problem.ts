/** The problems with which Slack sends an admin back without an installation. Anybody can write a code into the address, so a text repeats none. */
const WORDS = new Map(
  Object.entries({
    'slack.state': 'That installation was not begun here, was finished already, or took longer than ten minutes.',
    'slack.declined': 'You declined the installation at Slack, so nothing was installed.',
    'slack.oauth':
      'Slack refused the installation. Compare the client id, the client secret and the redirect address with those that Slack shows.',
    'slack.no_app': 'There is no Slack app here yet. Enter its client id, client secret and signing secret first.',
    'slack.workspace_taken':
      'This app is installed in this workspace for somebody else. Make an app of your own from the manifest.',
  }),
);

export const slackProblemInWords = (code: string): string =>
  `${WORDS.get(code) ?? 'Slack was not installed.'} You can begin again here.`;
